#include "routine.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *name, const void *routine)
{
    return strcmp(name, ((const struct routine *)routine)->name);
}

const struct routine *routine_by_name(const char *name)
{
    return bsearch(name, routines, ROUTINES, sizeof routines[0], by_name);
}
