#include <stdbool.h>
#include <zint.h>

// Swift imports an array in a structure as a tuple, this one with 200 times 144 elements.
static inline bool passconduit_zint_is_dark(
    const struct zint_symbol *symbol, int column, int row)
{
    return symbol->encoded_data[row][column >> 3] >> (column & 7) & 1;
}
