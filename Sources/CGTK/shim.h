// Functions deprecated since GTK 4.10 have no replacement in GTK 4.8.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#include <gtk/gtk.h>
