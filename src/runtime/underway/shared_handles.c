#include "shared_handles.h"

#include <stdlib.h>

#include "engine/table.h"

struct shared_handle {
    MPI_Request request;
    UT_hash_handle hh;
};

static struct shared_handle *shared;

bool handle_was_shared(MPI_Request request)
{
    struct shared_handle *found;
    HASH_FIND(hh, shared, &request, sizeof request, found);
    return found != NULL;
}

void shared_handle_note(MPI_Request request)
{
    struct shared_handle *handle = handle_was_shared(request) ? NULL : calloc(1, sizeof *handle);
    if (!handle)
        return;
    handle->request = request;
    HASH_ADD(hh, shared, request, sizeof request, handle);
}
