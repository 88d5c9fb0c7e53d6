#include "comms.h"

#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "ends.h"
#include "messages.h"
#include "session.h"

static struct comm *comms, *comms_by_id;
struct comm *comm_recent;
static MPI_Group world_group;

/* How often a name was made for a constructor that is not collective over a parent. */
struct repeat {
    uint64_t name, times;
    UT_hash_handle hh;
};
static struct repeat *repeats;

uint64_t name_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2)));
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct comm *comm_find(MPI_Comm handle)
{
    struct comm *comm;
    if (comm_recent && comm_recent->handle == handle)
        return comm_recent;
    HASH_FIND(hh, comms, &handle, sizeof handle, comm);
    comm_recent = comm;
    return comm;
}

struct comm *comm_by_id(uint64_t id)
{
    struct comm *comm;
    HASH_FIND(hh_id, comms_by_id, &id, sizeof id, comm);
    return comm;
}

/* All members agree on it. */
static void comm_set_id(struct comm *comm, uint64_t id)
{
    comm->id = id;
    HASH_ADD(hh_id, comms_by_id, id, sizeof comm->id, comm);
    ends_comm_known(comm);
}

uint32_t *world_ranks(MPI_Group group, int *n)
{
    *n = 0;
    pmpi.Group_size(group, n);
    int *own = allocate(2 * (*n + 1) * sizeof *own);
    uint32_t *ranks = allocate((*n + 1) * sizeof *ranks);
    if (!own || !ranks) {
        free(own);
        free(ranks);
        return NULL;
    }
    int *world = own + *n + 1;
    for (int i = 0; i < *n; i++)
        own[i] = i;
    if (*n > 0)
        pmpi.Group_translate_ranks(group, *n, own, world_group, world);
    for (int i = 0; i < *n; i++)
        ranks[i] = world[i] == MPI_UNDEFINED ? UINT32_MAX : (uint32_t)world[i];
    free(own);
    return ranks;
}

static bool any_outside(const uint32_t *ranks, int n)
{
    for (int i = 0; i < n; i++)
        if (ranks[i] == UINT32_MAX)
            return true;
    return false;
}

static bool group_is_foreign(MPI_Group group)
{
    int size;
    uint32_t *ranks = world_ranks(group, &size);
    bool foreign = !ranks || any_outside(ranks, size);
    free(ranks);
    pmpi.Group_free(&group);
    return foreign;
}

bool comm_is_foreign(MPI_Comm handle)
{
    MPI_Group group;
    int inter = 0;
    pmpi.Comm_test_inter(handle, &inter);
    pmpi.Comm_group(handle, &group);
    if (group_is_foreign(group))
        return true;
    if (inter)
        pmpi.Comm_remote_group(handle, &group);
    return inter && group_is_foreign(group);
}

static struct comm *comm_add(MPI_Comm handle)
{
    struct comm *comm = allocate_zeroed(1, sizeof *comm);
    MPI_Group group;
    int inter = 0;
    if (!comm)
        return NULL;
    comm->handle = handle;
    comm->told = &ends_uncounted;
    pmpi.Comm_test_inter(handle, &inter);
    comm->inter = inter;
    pmpi.Comm_rank(handle, &comm->rank);
    pmpi.Comm_group(handle, &group);
    comm->members = world_ranks(group, &comm->size);
    pmpi.Group_free(&group);
    comm->remote = comm->members;
    comm->remote_size = comm->size;
    if (inter) {
        pmpi.Comm_remote_group(handle, &group);
        comm->remote = world_ranks(group, &comm->remote_size);
        pmpi.Group_free(&group);
    }
    if (!comm->members || !comm->remote) {
        free(comm->members);
        free(comm);
        return NULL;
    }
    comm->foreign =
        any_outside(comm->members, comm->size) || any_outside(comm->remote, comm->remote_size);
    comm->is_world = !inter && !comm->foreign && comm->size == session.ranks;
    struct comm *old = comm_find(handle);
    if (old)
        comm_freed(handle);
    HASH_ADD(hh, comms, handle, sizeof comm->handle, comm);
    return comm;
}

void comms_start(void)
{
    pmpi.Comm_group(handles.comm_world, &world_group);
    struct comm *world = comm_add(handles.comm_world), *self = comm_add(handles.comm_self);
    if (world)
        comm_set_id(world, 1);
    if (self)
        comm_set_id(self, name_mix(2, session.rank));
}

static uint64_t count_repeat(uint64_t name)
{
    struct repeat *repeat;
    HASH_FIND(hh, repeats, &name, sizeof name, repeat);
    if (!repeat) {
        repeat = allocate_zeroed(1, sizeof *repeat);
        if (!repeat)
            return name;
        repeat->name = name;
        HASH_ADD(hh, repeats, name, sizeof name, repeat);
    }
    return name_mix(name, repeat->times++);
}

/* A name from the members alone, in any order: Comm_create_group, Intercomm_create. */
static uint64_t members_name(uint64_t seed, const uint32_t *ranks, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += name_mix(seed, ranks[i]);
    return sum;
}

uint64_t comm_child_name(struct call *call)
{
    struct comm *parent = routine_has(call->routine, ROLE_comm) ? comm_find(call->comm) : NULL;
    if (!parent)
        return name_mix(3, call->routine - routines);
    if (!routine_is(call->routine, ATTRIBUTE_late))
        return name_mix(parent->id, ++parent->children);
    if (!routine_has(call->routine, ROLE_group)) /* MPI_Intercomm_create */
        return name_mix(4, call->tag); /* the members of both sides are added in comm_created */
    int n;
    uint32_t *ranks = world_ranks(call->group, &n);
    uint64_t name = ranks ? members_name(name_mix(parent->id, call->tag + 17), ranks, n) : 0;
    free(ranks);
    return count_repeat(name);
}

void comm_created(MPI_Comm handle, uint64_t child_name)
{
    if (handle == handles.comm_null)
        return;
    struct comm *comm = comm_add(handle);
    if (!comm)
        return;
    if (comm->inter) /* both sides must come to the same name */
        comm_set_id(comm, count_repeat(members_name(child_name, comm->members, comm->size) +
                                       members_name(child_name, comm->remote, comm->remote_size)));
    else
        comm_set_id(comm, name_mix(child_name, comm->size > 0 ? comm->members[0] : 0));
}

static void comm_destroy(struct comm *comm)
{
    messages_comm_gone(comm);
    if (comm->remote != comm->members)
        free(comm->remote);
    free(comm->members);
    free(comm);
}

void comm_unuse(struct comm *comm)
{
    if (--comm->users == 0 && comm->retired)
        comm_destroy(comm);
}

void comm_freed(MPI_Comm handle)
{
    struct comm *comm = comm_find(handle);
    if (!comm)
        return;
    HASH_DEL(comms, comm);
    HASH_DELETE(hh_id, comms_by_id, comm);
    comm_recent = NULL;
    quick_channels_forget();
    ends_group_gone(comm);
    comm->retired = true;
    if (comm->users == 0)
        comm_destroy(comm);
}

static uint32_t *ranks_copy(const uint32_t *ranks, int n)
{
    uint32_t *copy = allocate((n + 1) * sizeof *copy);
    if (copy)
        memcpy(copy, ranks, n * sizeof *copy);
    return copy;
}

struct comm *comm_clone(const struct comm *comm, uint64_t id)
{
    struct comm *clone = allocate(sizeof *clone);
    if (!clone)
        return NULL;
    *clone = *comm;
    clone->id = id;
    clone->children = clone->collectives = clone->receives = 0;
    clone->wildcards = NULL;
    clone->channels = NULL;
    clone->settled = NULL;
    clone->has_board = false;
    clone->users = 0;
    clone->told = &ends_uncounted;
    clone->members = ranks_copy(comm->members, comm->size);
    clone->remote = comm->inter ? ranks_copy(comm->remote, comm->remote_size) : clone->members;
    return clone;
}

void comm_destroy_clone(struct comm *clone)
{
    comm_destroy(clone);
}
