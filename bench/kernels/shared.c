/* The star of grid.c with all cells in shared-memory windows. */
#define SHARED 1
#include "grid.c"
