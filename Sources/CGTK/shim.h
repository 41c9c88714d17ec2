// What GTK 4.10 and later call deprecated, GTK 4.8 has nothing else for.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <gtk/gtk.h>
