// Nothing is declared here: see open.c.
