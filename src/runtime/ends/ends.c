#include "ends.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "channel.h"
#include "comms.h"
#include "interpose/windows.h"
#include "operations.h"
#include "platform/file_room.h"
#include "session.h"

struct page *ends_page;
uint64_t ends_uncounted;

/* ---- the file ---- */

/* The code of the process, as far as it is loaded by now. */
static int note_module(struct dl_phdr_info *info, size_t size, void *first)
{
    char executable[PATH_MAX];
    (void)size;
    struct page *page = ends_page;
    const char *name = info->dlpi_name;
    if (*(bool *)first) { /* the program itself has no name here */
        *(bool *)first = false;
        ssize_t end = readlink("/proc/self/exe", executable, sizeof executable - 1);
        if (end > 0) {
            executable[end] = 0;
            name = executable;
        }
    }
    size_t length = strlen(name) + 1;
    if (page->nmodules == PAGE_MODULES || page->nnames + length > PAGE_NAMES)
        return 1;
    struct page_module module = {.base = info->dlpi_addr, .low = UINT64_MAX, .name = page->nnames};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        uint64_t low = info->dlpi_addr + part->p_vaddr;
        module.low = low < module.low ? low : module.low;
        module.high = low + part->p_memsz > module.high ? low + part->p_memsz : module.high;
    }
    memcpy(page->names + page->nnames, name, length);
    page->nnames += length;
    page->modules[page->nmodules++] = module;
    return 0;
}

static struct page *map_file(const char *path)
{
    if (sizeof(struct page) > platform_file_limit())
        return NULL;
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return NULL;
    void *map = MAP_FAILED;
    if (ftruncate(file, sizeof(struct page)) == 0)
        map = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) {
        unlink(path);
        return NULL;
    }
    return map;
}

/* A full disk must not end the program by SIGBUS: what is stored into often is there beforehand.
 * Groups take further pages; where the disk is that full, the records fail as well. */
static bool reserve(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool there = file >= 0 && posix_fallocate(file, 0, sizeof(struct page)) == 0;
    if (file >= 0)
        close(file);
    return there;
}

void ends_start(const char *directory, const char *name)
{
    char path[PATH_MAX];
    int level = MPI_THREAD_SINGLE;
    bool first = true;
    if (snprintf(path, sizeof path, "%s/%s.page", directory, name) >= (int)sizeof path)
        return;
    struct page *page = map_file(path);
    if (!page)
        return;
    if (!reserve(path)) {
        munmap(page, sizeof *page);
        unlink(path);
        return;
    }
    pmpi.Query_thread(&level);
    page->rank = session.rank;
    page->ranks = session.ranks;
    page->pid = getpid();
    page->started = page_process_start(page->pid);
    gethostname(page->host, sizeof page->host - 1);
    page->several_threads = level == MPI_THREAD_MULTIPLE;
    page->any_source = MPI_ANY_SOURCE;
    page->any_tag = MPI_ANY_TAG;
    page->proc_null = MPI_PROC_NULL;
    page->no_precede = MPI_MODE_NOPRECEDE;
    page->exclusive = MPI_LOCK_EXCLUSIVE;
    page->world = (uint64_t)(uintptr_t)handles.comm_world;
    ends_page = page;
    dl_iterate_phdr(note_module, &first);
    ends_thread();
    page->size = sizeof *page;
    atomic_thread_fence(memory_order_release);
    page->format = PAGE_FORMAT;
    deaths_prepare();
}

void ends_finish(enum page_state state)
{
    if (ends_page)
        ends_page->state = state;
}

void ends_forget(void)
{
    ends_page = NULL;
    runtime_here.place = NULL;
    runtime_here.has_asked = true;
}

void ends_thread(void)
{
    if (!ends_page || runtime_here.has_asked)
        return;
    runtime_here.has_asked = true;
    uint32_t number = __atomic_fetch_add(&ends_page->nplaces, 1, __ATOMIC_RELAXED);
    if (number >= PAGE_THREADS)
        return;
    ends_page->places[number].tid = (int32_t)syscall(SYS_gettid);
    runtime_here.place = &ends_page->places[number];
}

/* ---- calls ---- */

static uint64_t handle_of(const struct call *call)
{
    if (routine_has(call->routine, ROLE_win))
        return (uint64_t)(uintptr_t)call->win;
    if (routine_has(call->routine, ROLE_freed_win))
        return (uint64_t)(uintptr_t)call_win(call, call->freed_win);
    if (routine_has(call->routine, ROLE_comm))
        return (uint64_t)(uintptr_t)call->comm;
    return call->routine->verb == VERB_finalises ? (uint64_t)(uintptr_t)handles.comm_world : 0;
}

static void describe(struct page_item *item, const struct call *call)
{
    const struct routine *routine = call->routine;
    item->routine = routine - routines;
    item->in_world = 0;
    item->handle = handle_of(call);
    item->peer = routine_has(routine, ROLE_dest)     ? call->dest
                 : routine_has(routine, ROLE_target) ? call->target
                 : routine_has(routine, ROLE_root)   ? call->root
                                                     : 0;
    item->tag = routine_has(routine, ROLE_tag) ? call->tag : 0;
    item->source = routine_has(routine, ROLE_source) ? call->source : item->peer;
    item->recvtag = routine_has(routine, ROLE_recvtag) ? call->recvtag : item->tag;
    item->assertion = routine_has(routine, ROLE_lock_type) ? call->lock_type
                      : routine_has(routine, ROLE_assert)  ? call->assert
                                                           : 0;
    item->number = 0;
    item->caller = (uintptr_t)call->caller;
}

void ends_enter_call(const struct call *call)
{
    struct page_place *place = runtime_here.place;
    if (!place) {
        ends_thread();
        if (!(place = runtime_here.place))
            return;
    }
    place->routine = call->routine - routines;
    place->nitems = 1;
    place->caller = (uintptr_t)call->caller;
    describe(&place->items[0], call);
    place->calls++;
    place->inside = 1;
}

void ends_describe(struct page_item *item, const struct call *call)
{
    describe(item, call);
    if (call->routine->object == OBJECT_collective && call->routine->verb == VERB_starts) {
        const struct comm *comm = comm_find(call->comm);
        item->number = comm ? comm->collectives : 0;
    }
}

static void add_item(struct page_place *place, const struct page_item *item)
{
    if (place->nitems < PAGE_ITEMS)
        place->items[place->nitems] = *item;
    place->nitems++;
}

static bool is_message(const struct routine *routine)
{
    return routine->object == OBJECT_send || routine->object == OBJECT_recv;
}

/* Which message of its channel it is; 0: not certain. */
static uint64_t message_number(const struct operation *operation)
{
    const struct receive *receive = &operation->receive;
    if (operation->routine->object == OBJECT_send)
        return operation->sent;
    return receive->channel && !receive->unsure && !receive->channel->cancelling
               ? receive->index + 1
               : 0;
}

/* The operations behind the requests of a call that waits for them. */
static void refine_requests(struct page_place *place, const struct call *call)
{
    bool many = routine_has(call->routine, ROLE_requests);
    const void *requests = many ? call->requests : call->request;
    int n = many ? call->nrequests : 1;
    place->nitems = 0;
    for (int i = 0; i < n; i++) {
        bool ambiguous;
        struct page_item unknown = {.routine = PAGE_NOT_KNOWN};
        MPI_Request request = call_request_at(call, requests, i);
        if (request == handles.request_null)
            continue;
        const struct operation *operation =
            operation_by_request(request, call_request_variable(call, requests, i), &ambiguous);
        if (operation && operation->state != OPERATION_ACTIVE)
            continue;
        struct page_item item = operation ? operation->about : unknown;
        if (operation && is_message(operation->routine))
            item.number = message_number(operation);
        add_item(place, &item);
    }
}

/* One item for each rank of a group; those of a window are told in its own numbers. */
static void refine_window_ranks(struct page_place *place, const struct window_ranks *ranks)
{
    struct page_item item = place->items[0];
    place->nitems = 0;
    for (int i = 0; i < ranks->n; i++) {
        item.peer = ranks->ranks[i];
        add_item(place, &item);
    }
}

static void refine_group(struct page_place *place, MPI_Group group)
{
    struct page_item item = place->items[0];
    int n;
    uint32_t *ranks = session_can_look_for_races() ? world_ranks(group, &n) : NULL;
    if (!ranks)
        return;
    place->nitems = 0;
    item.in_world = 1;
    for (int i = 0; i < n; i++) {
        item.peer = ranks[i] == UINT32_MAX ? -1 : (int)ranks[i];
        add_item(place, &item);
    }
    free(ranks);
}

void ends_refine(const struct call *call)
{
    struct page_place *place = runtime_here.place;
    if (!place)
        return;
    enum object object = call->routine->object;
    if (call->routine->verb == VERB_completes) {
        refine_requests(place, call);
    } else if (call->routine->verb == VERB_opens && object == OBJECT_access) {
        refine_group(place, call->group);
    } else if (call->routine->verb == VERB_closes &&
               (object == OBJECT_access || object == OBJECT_exposure)) {
        const struct window *window = window_find(call->win);
        if (window)
            refine_window_ranks(place,
                                object == OBJECT_access ? &window->accessed : &window->exposed_to);
    }
}

/* ---- groups ---- */

static bool is_world_in_order(const uint32_t *ranks, int n)
{
    for (int i = 0; i < n; i++)
        if (ranks[i] != (uint32_t)i)
            return false;
    return true;
}

/* -1: no need to write them down; -2: no room. Room is not given back: programs that make
 * communicators again and again make equal ones, which are found again. */
static int32_t write_ranks(const uint32_t *ranks, int n)
{
    struct page *page = ends_page;
    if (is_world_in_order(ranks, n))
        return -1;
    for (uint32_t i = 0; i + n <= page->nranks; i++)
        if (memcmp(page->ranks_of_groups + i, ranks, n * sizeof *ranks) == 0)
            return (int32_t)i;
    if (page->nranks + n > PAGE_RANKS)
        return -2;
    int32_t at = (int32_t)page->nranks;
    memcpy(page->ranks_of_groups + at, ranks, n * sizeof *ranks);
    page->nranks += n;
    return at;
}

/* One that was never used, else those that are gone in turns. */
static unsigned turn; /* under the session's lock */

static struct page_group *free_group(void)
{
    for (unsigned i = 0; i < PAGE_GROUPS; i++)
        if (ends_page->groups[i].kind == PAGE_GROUP_FREE)
            return &ends_page->groups[i];
    for (unsigned i = 0; i < PAGE_GROUPS; i++, turn++)
        if (ends_page->groups[turn % PAGE_GROUPS].gone)
            return &ends_page->groups[turn++ % PAGE_GROUPS];
    return NULL;
}

static void group_known(struct comm *comm, enum page_group_kind kind, uint64_t handle)
{
    comm->told = &ends_uncounted;
    struct page_group *group = ends_page ? free_group() : NULL;
    if (!ends_page)
        return;
    int32_t members = write_ranks(comm->members, comm->size);
    int32_t remote = comm->inter ? write_ranks(comm->remote, comm->remote_size) : members;
    if (!group || members == -2 || remote == -2 || comm->foreign) {
        ends_page->groups_lost++;
        return;
    }
    *group = (struct page_group){.inter = comm->inter,
                                 .handle = handle,
                                 .id = comm->id,
                                 .collectives = comm->collectives,
                                 .size = comm->size,
                                 .remote_size = comm->remote_size,
                                 .members = members,
                                 .remote = remote};
    comm->told = &group->collectives;
    group->kind = kind;
}

void ends_comm_known(struct comm *comm)
{
    group_known(comm, PAGE_GROUP_COMM, (uint64_t)(uintptr_t)comm->handle);
}

void ends_window_known(struct comm *group, MPI_Win win)
{
    group_known(group, PAGE_GROUP_WINDOW, (uint64_t)(uintptr_t)win);
}

void ends_group_gone(struct comm *comm)
{
    for (int i = 0; ends_page && i < PAGE_CHANNELS; i++)
        if (ends_page->channels[i].group == comm->id)
            ends_page->channels[i].group = 0;
    for (int i = 0; ends_page && i < PAGE_GROUPS; i++)
        if (comm->told == &ends_page->groups[i].collectives)
            ends_page->groups[i].gone = 1;
    comm->told = &ends_uncounted;
}

/* ---- channels ---- */

uint64_t *ends_channel_known(const struct comm *comm, int tag, uint32_t peer, bool sends)
{
    struct page_channel *found = NULL;
    for (int i = 0; ends_page && !comm->foreign && i < PAGE_CHANNELS; i++) {
        struct page_channel *channel = &ends_page->channels[i];
        if (!found && !channel->group)
            found = channel;
        if (channel->group == comm->id && channel->peer == (int32_t)peer && channel->tag == tag &&
            channel->sends == sends)
            return &channel->count;
    }
    if (!found) {
        ends_channels_lost();
        return &ends_uncounted;
    }
    *found = (struct page_channel){.peer = (int32_t)peer, .tag = tag, .sends = sends};
    found->group = comm->id;
    return &found->count;
}

void ends_channels_lost(void)
{
    if (ends_page)
        ends_page->channels_lost = 1;
}

/* ---- locks ---- */

void ends_locked(const struct call *call)
{
    bool all = call->routine->object == OBJECT_lock_all;
    if (!ends_page || (!all && call->routine->object != OBJECT_lock))
        return;
    for (int i = 0; i < PAGE_LOCKS; i++) {
        struct page_lock *lock = &ends_page->locks[i];
        if (lock->handle)
            continue;
        lock->target = all ? -1 : call->target;
        lock->exclusive = !all && call->lock_type == MPI_LOCK_EXCLUSIVE;
        lock->caller = (uintptr_t)call->caller;
        lock->handle = (uint64_t)(uintptr_t)call->win;
        return;
    }
    ends_page->locks_lost++;
}

void ends_unlocked(const struct call *call)
{
    bool all = call->routine->object == OBJECT_lock_all;
    if (!ends_page || (!all && call->routine->object != OBJECT_lock))
        return;
    for (int i = 0; i < PAGE_LOCKS; i++) {
        struct page_lock *lock = &ends_page->locks[i];
        if (lock->handle == (uint64_t)(uintptr_t)call->win &&
            lock->target == (all ? -1 : call->target))
            lock->handle = 0;
    }
}
