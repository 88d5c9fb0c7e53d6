#include "allocations.h"

#include <stdlib.h>

#include "accesses.h"
#include "conflicts.h"
#include "engine/table.h"
#include "interpose/call.h"
#include "pending.h"
#include "reach.h"
#include "session.h"
#include "window_buffers.h"

struct allocation {
    uint64_t base, bytes;
    UT_hash_handle hh;
};

static struct allocation *allocations;

static struct allocation *find(uint64_t base)
{
    struct allocation *allocation;
    HASH_FIND(hh, allocations, &base, sizeof base, allocation);
    return allocation;
}

void allocation_made(const struct call *call)
{
    uint64_t base = (uintptr_t)*(void **)call->new_base;
    struct allocation *allocation = find(base);
    if (!base || call->size <= 0)
        return;
    if (!allocation) {
        allocation = calloc(1, sizeof *allocation);
        if (!allocation)
            return; /* its first byte will stand for it */
        allocation->base = base;
        HASH_ADD(hh, allocations, base, sizeof base, allocation);
    }
    allocation->bytes = (uint64_t)call->size;
}

void allocation_given_back(const struct call *call)
{
    struct allocation *allocation = find((uintptr_t)call->base);
    struct own_access store = {.address = (uintptr_t)call->base,
                               .bytes = allocation ? allocation->bytes : 1,
                               .store = true,
                               .given_back_by = "MPI_Free_mem",
                               .caller = call->caller,
                               .frame = call->frame};
    struct section section = {.start = store.address, .length = store.bytes, .count = 1};
    if (!store.address)
        return;
    pending_settle();
    conflicts_check_own(&store);
    if (session.engine)
        window_buffer_touched(call, &section, 1, true);
    if (allocation) {
        HASH_DEL(allocations, allocation);
        free(allocation);
    }
}

/* ---- memory of dynamic windows ---- */

/* The piece of memory that begins at `base`. */
struct attached {
    uint64_t base, bytes;
    window_t window;
    bool elsewhere; /* shown by another window, too */
};

static bool find_attached(void *context, const struct reach *reach)
{
    struct attached *piece = context;
    if (reach->window != piece->window)
        piece->elsewhere = true;
    else if (reach->low == piece->base)
        piece->bytes = reach->high - reach->low;
    return true;
}

void allocation_detached(const struct call *call, window_t window)
{
    struct attached piece = {.base = (uintptr_t)call->base, .window = window};
    reach_visit(piece.base, piece.base + 1, find_attached, &piece);
    struct section section = {.start = piece.base, .length = piece.bytes, .count = 1};
    if (piece.bytes > 0 && !piece.elsewhere)
        window_buffer_touched(call, &section, 1, true);
}
