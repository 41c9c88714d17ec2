// No declarations: see arguments.c.
