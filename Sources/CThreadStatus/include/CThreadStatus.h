// No declarations: see open.c.
