#include "operations.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accesses.h"
#include "conflicts.h"
#include "edges.h"
#include "engine/inuse.h"
#include "pending.h"
#include "window_buffers.h"
#include "session.h"
#include "shared_handles.h"
#include "interpose/stacks.h"
#include "engine/table.h"
#include "uses.h"
#include "window_operations.h"
#include "platform/own_memory.h"

/* ---- memory ---- */

static struct operation *free_operations, *first_operation, *last_operation;

static struct operation *operation_new(void)
{
    struct operation *operation = free_operations;
    if (operation)
        free_operations = operation->next;
    else
        operation = malloc(sizeof *operation);
    if (!operation)
        return NULL;
    memset(operation, 0, sizeof *operation);
    operation->previous = last_operation;
    *(last_operation ? &last_operation->next : &first_operation) = operation;
    last_operation = operation;
    return operation;
}

static void recycle(struct operation *operation)
{
    *(operation->previous ? &operation->previous->next : &first_operation) = operation->next;
    *(operation->next ? &operation->next->previous : &last_operation) = operation->previous;
    operation->next = free_operations;
    free_operations = operation;
}

struct operation *operations_first(void)
{
    return first_operation;
}

/* ---- requests ---- */

/* Requests are an int in MPICH and a pointer in Open MPI. Both MPIs give all sends that are
 * complete at once the same one. Then the variable tells which operation is meant, as long as the
 * program does not move its requests, e.g. to close a gap in an array. That shows at a variable
 * that was emptied by a completion and has the request again, without an operation that was started
 * there. */
enum { EMPTIED = 4 };

struct request_entry {
    MPI_Request request;
    struct operation *operations;
    /* The last variables that were emptied while other operations have the request. */
    const void *emptied[EMPTIED];
    unsigned nemptied; /* how many there were */
    bool moved;
    UT_hash_handle hh;
};

static struct request_entry *requests, *free_entries;
static uint64_t numbered; /* operations that have got a request */

static struct request_entry *request_find(MPI_Request request)
{
    struct request_entry *entry;
    HASH_FIND(hh, requests, &request, sizeof request, entry);
    return entry;
}

bool operations_any_request(void)
{
    return requests != NULL;
}

void operation_set_request(struct operation *operation, MPI_Request request, const void *variable)
{
    struct request_entry *entry = request_find(request);
    if (!entry) {
        entry = free_entries;
        if (entry)
            free_entries = (struct request_entry *)entry->operations;
        else
            entry = malloc(sizeof *entry);
        if (!entry)
            return;
        memset(entry, 0, sizeof *entry);
        entry->request = request;
        HASH_ADD(hh, requests, request, sizeof request, entry);
    } else {
        shared_handle_note(request);
    }
    for (int i = 0; i < EMPTIED; i++)
        if (entry->emptied[i] == variable)
            entry->emptied[i] = NULL;
    operation->has_request = true;
    operation->number = ++numbered;
    operation->request = request;
    operation->request_variable = variable;
    operation->receive.request = request;
    operation->receive.variable = variable;
    operation->receive.can_be_asked = true;
    operation->next_with_request = entry->operations;
    entry->operations = operation;
}

static void unset_request(struct operation *operation)
{
    struct request_entry *entry = request_find(operation->request);
    if (!entry)
        return;
    for (struct operation **link = &entry->operations; *link; link = &(*link)->next_with_request)
        if (*link == operation) {
            *link = operation->next_with_request;
            break;
        }
    if (!entry->operations) {
        HASH_DEL(requests, entry);
        entry->operations = (struct operation *)free_entries;
        free_entries = entry;
    } else {
        entry->emptied[entry->nemptied++ % EMPTIED] = operation->request_variable;
    }
}

/* Whether this variable, which may be gone, has the request. `near`: one that is there. What lies
 * far from it is no part of the same array. */
static bool has_request(const void *variable, MPI_Request request, const void *near)
{
    enum { PAGE = 4096, FAR = 1 << 16 };
    uintptr_t first = (uintptr_t)variable, last = first + sizeof request - 1,
              known = (uintptr_t)near;
    MPI_Request found;
    if (first / PAGE == known / PAGE && last / PAGE == known / PAGE)
        memcpy(&found, variable, sizeof found);
    else if ((first < known ? known - first : first - known) > FAR ||
             !platform_peek(&found, variable, sizeof found))
        return false;
    return found == request;
}

static bool were_moved(struct request_entry *entry, const void *near)
{
    for (int i = 0; i < EMPTIED && !entry->moved; i++)
        entry->moved = entry->emptied[i] && has_request(entry->emptied[i], entry->request, near);
    return entry->moved;
}

struct operation *operations_by_request(MPI_Request request)
{
    struct request_entry *entry = request_find(request);
    return entry ? entry->operations : NULL;
}

struct operation *operation_by_request(MPI_Request request, const void *variable, bool *ambiguous)
{
    struct request_entry *entry = request_find(request);
    *ambiguous = false;
    if (!entry)
        return NULL;
    if (!entry->operations->next_with_request)
        return entry->operations;
    bool tells = variable && !were_moved(entry, variable);
    for (struct operation *o = entry->operations; o && tells; o = o->next_with_request)
        if (o->request_variable == variable)
            return o;
    *ambiguous = true;
    return NULL;
}

static void complete(struct operation *operation, const void *variable, const MPI_Status *status)
{
    operation->mistakable = !handle_means(operation, variable);
    operation_end_buffers(operation);
    if (session_can_look_for_races())
        edges_completed(operation, status);
    if (operation->persistent)
        operation_deactivate(operation);
    else
        operation_destroy(operation);
}

void operation_request_completed(MPI_Request request, const void *variable,
                                 const MPI_Status *status)
{
    bool ambiguous;
    struct operation *operation = operation_by_request(request, variable, &ambiguous);
    if (operation)
        complete(operation, variable, status);
    for (struct request_entry *entry; ambiguous && (entry = request_find(request));)
        complete(entry->operations, variable, status);
}

struct operation *operation_by_file(MPI_File file)
{
    for (struct operation *o = first_operation; o; o = o->next)
        if (o->has_file && o->file == file)
            return o;
    return NULL;
}

/* ---- buffers in use ---- */

/* Puts the bytes into use for as long as the call takes, in which nobody else looks. */
static void use_briefly(struct operation_buffer *buffer, const struct section *sections, size_t n)
{
    buffer->start = n ? sections[0].start : 0;
    buffer->bytes = sections_bytes(sections, n);
    buffer->only = n == 1 ? sections[0] : (struct section){0};
    buffer->inuse = n ? inuse_add(session.inuse, sections, n, buffer->access, buffer) : NULL;
    buffer->began = actor_moment();
    if (session.engine && buffer->operation->stack)
        buffer->window_buffer =
            window_buffer_begin(buffer->operation, sections, n, buffer->access == BUFFER_WRITE);
}

static void use(struct operation_buffer *buffer, const struct section *sections, size_t n)
{
    use_briefly(buffer, sections, n);
    buffer->past = actor_past();
    accesses_bytes_in_use(sections, n);
}

static void end_window_buffer(struct operation_buffer *buffer)
{
    if (buffer->window_buffer)
        window_buffer_end(buffer->window_buffer);
    buffer->window_buffer = 0;
}

void operation_buffer_lost(struct operation_buffer *buffer)
{
    if (buffer->inuse)
        inuse_remove(session.inuse, buffer->inuse);
    buffer->inuse = NULL;
    past_drop(buffer->past);
    buffer->past = NULL;
}

static void free_bytes(struct operation_buffer *buffer)
{
    operation_buffer_lost(buffer);
    if (buffer->window_buffer)
        window_buffer_forget(buffer->window_buffer);
    buffer->window_buffer = 0;
}

static void release(struct operation_buffer *buffer)
{
    use_ended(buffer);
    free_bytes(buffer);
}

void operation_end_buffers(struct operation *operation)
{
    for (int i = 0; i < operation->nbuffers; i++)
        end_window_buffer(&operation->buffers[i]);
    for (int i = 0;
         operation->partitions && operation->partitioned && i < operation->partitioned->partitions;
         i++)
        end_window_buffer(&operation->partitions[i]);
}

static void keep_sections(struct operation_buffer *buffer, const struct buffer_bytes *bytes)
{
    buffer->sections = malloc(bytes->n * sizeof *bytes->sections);
    if (!buffer->sections)
        return;
    memcpy(buffer->sections, bytes->sections, bytes->n * sizeof *bytes->sections);
    buffer->nsections = bytes->n;
}

/* A partitioned operation keeps the call's arguments: each partition's bytes are asked for alone.
 */
static void prepare_partitions(struct operation *operation, const struct call *call)
{
    operation->partitioned = malloc(sizeof *call);
    operation->partitions =
        calloc(call->partitions > 0 ? call->partitions : 1, sizeof *operation->partitions);
    operation->readied =
        calloc(call->partitions > 0 ? call->partitions : 1, sizeof *operation->readied);
    if (operation->partitioned)
        *operation->partitioned = *call;
}

static bool is_partitioned(const struct routine *routine)
{
    return routine->object == OBJECT_partitioned_send || routine->object == OBJECT_partitioned_recv;
}

static struct operation *allocate_for(const struct call *call)
{
    struct operation *operation = operation_new();
    if (!operation)
        return NULL;
    operation->routine = operation->at = call->routine;
    operation->stack = operation->made = stack_take(call->caller, call->frame);
    operation->thread = session_thread();
    operation->state = OPERATION_ACTIVE;
    return operation;
}

/* Checks each buffer of the call against all in use, then puts it into use. */
static void use_buffers(struct operation *operation, const struct call *call)
{
    operation->nbuffers = call->routine->nbuffers;
    for (int i = 0; i < operation->nbuffers; i++) {
        struct operation_buffer *buffer = &operation->buffers[i];
        struct buffer_bytes bytes = buffer_sections(session.layouts, call, i);
        buffer->operation = operation;
        buffer->access = bytes.access;
        conflicts_check(operation, call, bytes.sections, bytes.n, bytes.access);
        conflicts_check_threads(operation, call, bytes.sections, bytes.n, bytes.access);
        use(buffer, bytes.sections, bytes.n);
    }
}

struct operation *operation_start(struct call *call)
{
    pending_settle();
    struct operation *operation = allocate_for(call);
    if (operation)
        use_buffers(operation, call);
    return operation;
}

struct operation *operation_prepare(struct call *call)
{
    struct operation *operation = allocate_for(call);
    if (!operation)
        return NULL;
    operation->persistent = true;
    operation->state = OPERATION_INACTIVE;
    if (is_partitioned(call->routine)) {
        prepare_partitions(operation, call);
        return operation;
    }
    operation->nbuffers = call->routine->nbuffers;
    for (int i = 0; i < operation->nbuffers; i++) {
        struct buffer_bytes bytes = buffer_sections(session.layouts, call, i);
        operation->buffers[i].operation = operation;
        operation->buffers[i].access = bytes.access;
        keep_sections(&operation->buffers[i], &bytes);
    }
    return operation;
}

/* Whether `next` continues `section` as a regular pattern; if so, section becomes both. */
static bool extend(struct section *section, const struct section *next)
{
    if (next->count != 1 || next->start <= section->start)
        return false;
    if (section->count == 1 && next->start == section->start + section->length) {
        section->length += next->length;
        return true;
    }
    if (next->length != section->length)
        return false;
    if (section->count == 1 && next->start > section->start + section->length) {
        section->stride = next->start - section->start;
        section->count = 2;
        return true;
    }
    if (section->count > 1 && next->start == section->start + section->count * section->stride) {
        section->count++;
        return true;
    }
    return false;
}

/* Folds the newest operation into the one before it, if it comes from the same place and only reads
 * the same bytes again or continues a regular pattern. */
static bool fold(struct operation *latest, const struct operation *newest)
{
    if (latest->routine != newest->routine || latest->stack != newest->stack ||
        newest->nbuffers != 1)
        return false;
    struct operation_buffer *buffer = &latest->buffers[0];
    const struct operation_buffer *next = &newest->buffers[0];
    if (buffer->past != next->past)
        return false; /* what other threads did may have come between the two */
    if (buffer->inuse && next->inuse && inuse_same(buffer->inuse, next->inuse))
        return true;
    if (buffer->access != next->access || buffer->only.count == 0 || next->only.count == 0)
        return false;
    struct section both = buffer->only;
    if (!extend(&both, &next->only))
        return false;
    release(buffer);
    use(buffer, &both, 1);
    return true;
}

static struct operation *issue(struct call *call, struct operation *operation)
{
    struct operation *latest = window_latest_operation(call->win, call->target);
    use_buffers(operation, call);
    if (latest && !latest->has_request && !routine_has(call->routine, ROLE_new_request) &&
        fold(latest, operation)) {
        operation_destroy(operation);
        return NULL;
    }
    window_add_operation(call->win, call->target, operation);
    return operation;
}

struct operation *operation_issue(struct call *call)
{
    if (pending_accepts(call)) {
        pending_add(call);
        return NULL;
    }
    pending_settle();
    struct operation *operation = allocate_for(call);
    return operation ? issue(call, operation) : NULL;
}

void operation_issue_now(struct call *call, const struct stack *stack, int thread)
{
    struct operation *operation = operation_new();
    if (!operation)
        return;
    operation->routine = operation->at = call->routine;
    operation->stack = stack;
    operation->thread = thread;
    operation->state = OPERATION_ACTIVE;
    issue(call, operation);
}

void operation_destroy(struct operation *operation)
{
    operation_deactivate(operation);
    if (session_can_look_for_races())
        edges_given_up(operation);
    if (operation->has_request)
        unset_request(operation);
    if (operation->window)
        window_forget_operation(operation);
    for (int i = 0; i < operation->nbuffers; i++)
        free(operation->buffers[i].sections);
    partitioned_free(&operation->end);
    free(operation->partitioned);
    free(operation->partitions);
    free(operation->readied);
    free(operation->prepared);
    recycle(operation);
}

unsigned operations_orphaned;

void operation_orphan(struct operation *operation)
{
    unset_request(operation);
    operation->has_request = false;
    operation->orphan = true;
    operations_orphaned++;
}

void operations_end_orphans(void)
{
    struct operation *next;
    for (struct operation *operation = first_operation; operations_orphaned && operation;
         operation = next) {
        next = operation->next;
        if (!operation->orphan)
            continue;
        operation_destroy(operation);
        operations_orphaned--;
    }
}

void operation_activate(struct operation *operation, struct call *call)
{
    pending_settle();
    operation->state = OPERATION_ACTIVE;
    operation->stack = stack_take(call->caller, call->frame);
    operation->at = call->routine;
    operation->thread = session_thread();
    for (int i = 0; i < operation->nbuffers; i++) {
        struct operation_buffer *buffer = &operation->buffers[i];
        conflicts_check(operation, call, buffer->sections, buffer->nsections, buffer->access);
        conflicts_check_threads(operation, call, buffer->sections, buffer->nsections,
                                buffer->access);
        use(buffer, buffer->sections, buffer->nsections);
    }
    if (operation->partitioned && operation->routine->object == OBJECT_partitioned_recv)
        for (int i = 0; i < operation->partitioned->partitions; i++)
            operation_use_partition(operation, call, i);
    if (session_can_look_for_races())
        edges_activated(operation);
}

void operation_deactivate(struct operation *operation)
{
    operation->state = OPERATION_INACTIVE;
    for (int i = 0; i < operation->nbuffers; i++)
        release(&operation->buffers[i]);
    if (operation->partitioned)
        for (int i = 0; operation->partitions && i < operation->partitioned->partitions; i++)
            release(&operation->partitions[i]);
}

void operation_use_partition(struct operation *operation, struct call *call, int partition)
{
    if (!operation->partitioned || !operation->partitions || partition < 0 ||
        partition >= operation->partitioned->partitions)
        return;
    struct operation_buffer *buffer = &operation->partitions[partition];
    if (buffer->inuse)
        return;
    pending_settle();
    struct buffer_bytes bytes =
        buffer_partition(session.layouts, operation->partitioned, partition);
    buffer->operation = operation;
    buffer->access = bytes.access;
    operation->stack = stack_take(call->caller, call->frame);
    operation->at = call->routine;
    if (operation->readied)
        operation->readied[partition] = (struct operation_place){operation->at, operation->stack};
    conflicts_check(operation, call, bytes.sections, bytes.n, bytes.access);
    conflicts_check_threads(operation, call, bytes.sections, bytes.n, bytes.access);
    use(buffer, bytes.sections, bytes.n);
}

struct operation_place operation_buffer_place(const struct operation_buffer *buffer)
{
    const struct operation *operation = buffer->operation;
    if (operation->partitions && operation->readied)
        return operation->readied[buffer - operation->partitions];
    return (struct operation_place){operation->at, operation->stack};
}

void operation_free_partition(struct operation *operation, int partition)
{
    if (!operation->partitions || partition < 0 || partition >= operation->partitioned->partitions)
        return;
    end_window_buffer(&operation->partitions[partition]);
    release(&operation->partitions[partition]);
}

/* ---- blocking calls ---- */

void operation_check_blocking(struct call *call)
{
    int nbuffers = call->routine->nbuffers;
    pending_settle();
    if (nbuffers == 0 || (nbuffers == 1 && !session.engine && inuse_empty(session.inuse)))
        return;
    struct operation_buffer own[ROUTINE_MAX_BUFFERS];
    struct operation self = {
        .routine = call->routine, .at = call->routine, .thread = session_thread()};
    for (int i = 0; i < nbuffers; i++) {
        struct buffer_bytes bytes = buffer_sections(session.layouts, call, i);
        own[i] = (struct operation_buffer){.operation = &self, .access = bytes.access};
        if (session.engine && bytes.access == BUFFER_READ)
            window_buffer_touched(call, bytes.sections, bytes.n, false);
        if (!inuse_empty(session.inuse))
            conflicts_check(&self, call, bytes.sections, bytes.n, bytes.access);
        if (i + 1 < nbuffers)
            use_briefly(&own[i], bytes.sections, bytes.n);
    }
    for (int i = 0; i < nbuffers; i++)
        free_bytes(&own[i]);
}

void operation_blocking_used(const struct call *call, enum buffer_access access)
{
    struct operation self = {
        .routine = call->routine, .at = call->routine, .thread = session_thread()};
    for (int i = 0; i < call->routine->nbuffers; i++) {
        struct buffer_bytes bytes = buffer_sections(session.layouts, call, i);
        if (bytes.access != access)
            continue;
        conflicts_check_threads(&self, call, bytes.sections, bytes.n, bytes.access);
        use_made(call, bytes.sections, bytes.n, bytes.access);
    }
}

void operation_blocking_written(const struct call *call)
{
    for (int i = 0; i < call->routine->nbuffers; i++) {
        struct buffer_bytes bytes = buffer_sections(session.layouts, call, i);
        if (bytes.access == BUFFER_WRITE)
            window_buffer_touched(call, bytes.sections, bytes.n, true);
    }
}
