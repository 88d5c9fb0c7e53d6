#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "datatype_layout.h"
#include "record.h"

/* ---- lists of sections that grow ---- */

struct sections {
    struct section *items;
    size_t n, room;
};

/* One list per buffer of a call. */
static struct sections lists[ROUTINE_MAX_BUFFERS];

static bool reserve(struct sections *list, size_t more)
{
    if (list->n + more <= list->room)
        return true;
    size_t room = 2 * (list->n + more) + 8;
    struct section *larger = realloc(list->items, room * sizeof *larger);
    if (!larger)
        return false;
    list->items = larger;
    list->room = room;
    return true;
}

static bool undecoded_is_told; /* under the lock of the layer */

static void append(struct layout_cache *layouts, struct sections *list, uint64_t base,
                   MPI_Count count, MPI_Datatype type)
{
    if (count <= 0)
        return;
    const struct layout *layout = layout_of(layouts, type);
    if (!layout) {
        if (!undecoded_is_told && type != handles.datatype_null)
            record_limit("datatype", "buffers of some datatypes", "they could not be decoded");
        undecoded_is_told = true;
        return;
    }
    if (!reserve(list, 4))
        return;
    size_t n = layout_sections(layout, base, count, list->items + list->n, list->room - list->n);
    if (n > list->room - list->n) {
        if (!reserve(list, n))
            return;
        n = layout_sections(layout, base, count, list->items + list->n, n);
    }
    list->n += n;
}

uint64_t sections_bytes(const struct section *sections, size_t n)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += section_bytes(&sections[i]);
    return bytes;
}

/* ---- which ranks a collective's blocks belong to ---- */

static bool is_intercommunicator(MPI_Comm comm)
{
    int inter = 0;
    pmpi.Comm_test_inter(comm, &inter);
    return inter;
}

static int other_end_size(MPI_Comm comm)
{
    int size = 0;
    if (is_intercommunicator(comm))
        pmpi.Comm_remote_size(comm, &size);
    else
        pmpi.Comm_size(comm, &size);
    return size;
}

/* The number of neighbours in the topology; fills `cartesian` with the number of dimensions (0 if
 * it is a graph), because in a grid the neighbour of block i may be MPI_PROC_NULL. */
static int degree(MPI_Comm comm, bool in, int *cartesian)
{
    int topology = MPI_UNDEFINED, rank, n = 0, out = 0, weighted;
    *cartesian = 0;
    pmpi.Topo_test(comm, &topology);
    switch (topology) {
    case MPI_CART:
        pmpi.Cartdim_get(comm, cartesian);
        return 2 * *cartesian;
    case MPI_GRAPH:
        pmpi.Comm_rank(comm, &rank);
        pmpi.Graph_neighbors_count(comm, rank, &n);
        return n;
    case MPI_DIST_GRAPH:
        pmpi.Dist_graph_neighbors_count(comm, &n, &out, &weighted);
        return in ? n : out;
    default:
        return 0;
    }
}

/* Blocks 2d and 2d+1 are the neighbours down and up in dimension d (MPI-4.0 §8.6). */
static bool is_off_grid(MPI_Comm comm, int block)
{
    int down = MPI_PROC_NULL, up = MPI_PROC_NULL;
    pmpi.Cart_shift(comm, block / 2, 1, &down, &up);
    return (block % 2 ? up : down) == MPI_PROC_NULL;
}

/* ---- one buffer ---- */

static MPI_Count count_at(const struct call *call, const void *counts, int i)
{
    return call->routine->large ? ((const MPI_Count *)counts)[i] : ((const int *)counts)[i];
}

/* Where block i starts, in bytes from the buffer's base, if displacements are given. */
static MPI_Aint displacement(const struct call *call, const struct call_buffer *buffer,
                             enum role role, int i, MPI_Aint extent)
{
    bool is_address = call->routine->large || role == ROLE_displs_aint;
    MPI_Aint displ = is_address ? ((const MPI_Aint *)buffer->displs)[i]
                                : (MPI_Aint)((const int *)buffer->displs)[i];
    return role == ROLE_displs ? displ * extent : displ;
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint lower = 0, extent = 0;
    pmpi.Type_get_extent(type, &lower, &extent);
    return extent;
}

/* n blocks, each with its own count, displacement or type, or all alike one after another. */
static void append_blocks(struct layout_cache *layouts, struct sections *list,
                          const struct call *call, int i, int n, int cartesian)
{
    const struct routine *routine = call->routine;
    const struct routine_buffer *shape = &routine->buffers[i];
    const struct call_buffer *buffer = &call->buffers[i];
    uint64_t base = (uintptr_t)buffer->base;
    bool has_counts =
        shape->count != NO_ARGUMENT && routine->arguments[shape->count].role == ROLE_counts;
    bool has_types = routine->arguments[shape->type].role == ROLE_types;

    if (!has_counts && !cartesian) {
        append(layouts, list, base, buffer->count * n, buffer->type);
        return;
    }
    MPI_Aint extent = has_types ? 0 : extent_of(buffer->type);
    for (int block = 0; block < n; block++) {
        if (cartesian && is_off_grid(call->comm, block))
            continue;
        MPI_Count count = has_counts ? count_at(call, buffer->counts, block) : buffer->count;
        if (count <= 0)
            continue;
        MPI_Datatype type = has_types ? call_type_at(call, buffer->types, block) : buffer->type;
        MPI_Aint offset =
            shape->displs == NO_ARGUMENT
                ? block * buffer->count * extent
                : displacement(call, buffer, routine->arguments[shape->displs].role, block, extent);
        append(layouts, list, base + offset, count, type);
    }
}

/* Reduce_scatter: the send buffer holds everybody's counts, the receive buffer mine. */
static MPI_Count reduce_scatter_count(const struct call *call, int i, enum blocks blocks)
{
    int size = 0, rank = 0;
    pmpi.Comm_size(call->comm, &size);
    pmpi.Comm_rank(call->comm, &rank);
    if (blocks == BLOCKS_mine)
        return count_at(call, call->buffers[i].counts, rank);
    MPI_Count sum = 0;
    for (int block = 0; block < size; block++)
        sum += count_at(call, call->buffers[i].counts, block);
    return sum;
}

/* Exscan has no result at rank 0 (MPI-4.0 §6.11.2). */
static bool is_missing_prefix(const struct call *call, const struct routine_buffer *shape)
{
    int rank = -1;
    if (call->routine->order != ORDER_prefix || shape->role != ROLE_write ||
        !strstr(call->routine->name, "xscan"))
        return false;
    pmpi.Comm_rank(call->comm, &rank);
    return rank == 0;
}

/* Whether the argument means anything on this rank: the root's only at the root, and in an
 * intercommunicator only on the side that it is for (MPI-4.0 §6.2.3). */
static bool is_significant(const struct call *call, const struct routine_buffer *shape)
{
    if (!routine_has(call->routine, ROLE_root))
        return !is_missing_prefix(call, shape);
    if (is_intercommunicator(call->comm)) {
        if (call->root == MPI_PROC_NULL)
            return false;
        return shape->role == ROLE_bcast || shape->at_root == (call->root == MPI_ROOT);
    }
    int rank = -1;
    if (shape->at_root)
        pmpi.Comm_rank(call->comm, &rank);
    return !shape->at_root || rank == call->root;
}

/* A broadcast reads at the root and writes everywhere else. */
static enum buffer_access access_of(const struct call *call, const struct routine_buffer *shape)
{
    if (shape->role == ROLE_read)
        return BUFFER_READ;
    if (shape->role == ROLE_write)
        return BUFFER_WRITE;
    if (is_intercommunicator(call->comm))
        return call->root == MPI_ROOT ? BUFFER_READ : BUFFER_WRITE;
    int rank = -1;
    pmpi.Comm_rank(call->comm, &rank);
    return rank == call->root ? BUFFER_READ : BUFFER_WRITE;
}

/* Whether the other side is MPI_PROC_NULL, so that nothing is touched. */
static bool goes_nowhere(const struct call *call, const struct routine_buffer *shape)
{
    const struct routine *routine = call->routine;
    if (routine_has(routine, ROLE_target))
        return call->target == MPI_PROC_NULL;
    bool sends = routine_has(routine, ROLE_dest), receives = routine_has(routine, ROLE_source);
    if (sends && receives && routine->nbuffers == 1) /* Sendrecv_replace */
        return call->dest == MPI_PROC_NULL && call->source == MPI_PROC_NULL;
    if (shape->role == ROLE_read)
        return sends && call->dest == MPI_PROC_NULL;
    return receives && call->source == MPI_PROC_NULL;
}

/* The origin of an accumulate with MPI_NO_OP is not read. */
static bool is_ignored_origin(const struct call *call, const struct routine_buffer *shape)
{
    return shape->role == ROLE_read && routine_has(call->routine, ROLE_op) &&
           call->routine->verb == VERB_issues && call->op == handles.no_op;
}

struct buffer_bytes buffer_sections(struct layout_cache *layouts, const struct call *call, int i)
{
    const struct routine_buffer *shape = &call->routine->buffers[i];
    const struct call_buffer *buffer = &call->buffers[i];
    struct sections *list = &lists[i];
    list->n = 0;

    if (shape->role == ROLE_packed) {
        bool packs = call->routine->object == OBJECT_pack;
        if (call->position_end > call->position && reserve(list, 1))
            list->items[list->n++] = (struct section){(uintptr_t)buffer->base + call->position,
                                                      call->position_end - call->position, 0, 1};
        return (struct buffer_bytes){list->items, list->n, packs ? BUFFER_WRITE : BUFFER_READ};
    }
    if (shape->type == NO_ARGUMENT || buffer->base == MPI_IN_PLACE ||
        !is_significant(call, shape) || goes_nowhere(call, shape) || is_ignored_origin(call, shape))
        return (struct buffer_bytes){NULL, 0, BUFFER_READ};

    int n = 1, cartesian = 0;
    switch (shape->blocks) {
    case BLOCKS_one:
        append(layouts, list, (uintptr_t)buffer->base, buffer->count, buffer->type);
        break;
    case BLOCKS_sum:
    case BLOCKS_mine:
        append(layouts, list, (uintptr_t)buffer->base, reduce_scatter_count(call, i, shape->blocks),
               buffer->type);
        break;
    case BLOCKS_partitions:
        append(layouts, list, (uintptr_t)buffer->base, buffer->count * call->partitions,
               buffer->type);
        break;
    case BLOCKS_size:
        append_blocks(layouts, list, call, i, other_end_size(call->comm), 0);
        break;
    case BLOCKS_localsize:
        pmpi.Comm_size(call->comm, &n);
        append_blocks(layouts, list, call, i, n, 0);
        break;
    case BLOCKS_indegree:
    case BLOCKS_outdegree:
        n = degree(call->comm, shape->blocks == BLOCKS_indegree, &cartesian);
        append_blocks(layouts, list, call, i, n, cartesian);
        break;
    }
    return (struct buffer_bytes){list->items, list->n, access_of(call, shape)};
}

struct buffer_bytes buffer_partition(struct layout_cache *layouts, const struct call *call,
                                     int partition)
{
    const struct routine_buffer *shape = &call->routine->buffers[0];
    const struct call_buffer *buffer = &call->buffers[0];
    struct sections *list = &lists[0];
    list->n = 0;
    if (!goes_nowhere(call, shape))
        append(layouts, list,
               (uintptr_t)buffer->base + partition * buffer->count * extent_of(buffer->type),
               buffer->count, buffer->type);
    return (struct buffer_bytes){list->items, list->n, access_of(call, shape)};
}
