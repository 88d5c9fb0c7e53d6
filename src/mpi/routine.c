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

const char *routine_kind(const struct routine *routine, bool writes)
{
    switch (routine->object) {
    case OBJECT_send:
    case OBJECT_partitioned_send:
        return "send";
    case OBJECT_recv:
    case OBJECT_partitioned_recv:
        return "recv";
    case OBJECT_sendrecv:
        return writes ? "recv" : "send";
    case OBJECT_collective:
        return "collective";
    case OBJECT_io:
        return "io";
    case OBJECT_put:
        return "put";
    case OBJECT_get:
        return "get";
    case OBJECT_accumulate:
        return "accumulate";
    case OBJECT_get_accumulate:
        return "get_accumulate";
    case OBJECT_fetch_and_op:
        return "fetch_and_op";
    case OBJECT_compare_and_swap:
        return "compare_and_swap";
    default: /* MPI_Pack and the like work on memory as the program itself would */
        return writes ? "store" : "load";
    }
}
