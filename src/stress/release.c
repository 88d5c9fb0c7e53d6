#include "release.h"

#include <stdlib.h>
#include <string.h>

#include "fingerprint.h"
#include "layer.h"
#include "stand_ins.h"
#include "settings.h"
#include "split.h"

/* More are issued early, which is legal, to keep memory in bounds. */
enum { WAITING_MOST = 20000 };

/* ---- lists ---- */

static bool list_add(struct operation_list *list, struct operation *operation)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        struct operation **larger = realloc(list->at, room * sizeof *larger);
        if (!larger)
            return false;
        list->at = larger;
        list->room = room;
    }
    list->at[list->count++] = operation;
    return true;
}

/* ---- issuing ---- */

static int issue_pieces(struct stressed_window *window, const struct pieces *pieces,
                        const size_t *order)
{
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->at[order ? order[i] : i];
        int target = piece->operation->target;
        /* In reverse: between operations, so that a process which polls sees what is there
         * meanwhile, and polls fast itself. */
        if (i || settings.order != ORDER_REVERSE)
            layer_sleep(settings.latency);
        int result = piece_issue(piece, window->model.handle);
        /* Legal: a flush asks for completion that may come at any time anyway. */
        if (result == MPI_SUCCESS && settings.add_flush && window_may_flush(window, target))
            result = pmpi.Win_flush(target, window->model.handle);
        error = error == MPI_SUCCESS ? result : error;
    }
    return error;
}

static size_t *choose_order(const struct stressed_window *window, const struct pieces *pieces)
{
    struct placed *placed = malloc((pieces->count ? pieces->count : 1) * sizeof *placed);
    size_t *order = malloc((pieces->count ? pieces->count : 1) * sizeof *order);
    bool chosen = placed && order;
    for (size_t i = 0; chosen && i < pieces->count; i++)
        placed[i] = piece_place(&pieces->at[i]);
    layer_lock();
    chosen = chosen && order_classes(placed, pieces->count) &&
             order_choose(placed, pieces->count, (enum issue_order)settings.order,
                          window->unordered, &layer.random, order);
    layer_unlock();
    free(placed);
    if (chosen)
        return order;
    free(order);
    return NULL; /* without memory: in program order */
}

/* Issues the operations, which then wait for the completing call. */
static int issue(struct stressed_window *window, struct operation **operations, size_t count)
{
    struct pieces pieces = {0};
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        struct operation *operation = operations[i];
        operation_check(operation);
        if (!pieces_add(&pieces, operation, (enum split)settings.split)) {
            /* No memory for the list: what is in it goes first, so that program order is kept. */
            int result = issue_pieces(window, &pieces, NULL);
            pieces.count = 0;
            error = error == MPI_SUCCESS ? result : error;
            result = operation_issue(operation, window->model.handle);
            error = error == MPI_SUCCESS ? result : error;
        }
    }
    size_t *order = settings.order == ORDER_AS_IS ? NULL : choose_order(window, &pieces);
    int result = issue_pieces(window, &pieces, order);
    free(order);
    free(pieces.at);
    layer_lock();
    for (size_t i = 0; i < count; i++) {
        window->under_way[operations[i]->target]++;
        if (operations[i]->request)
            rma_request_issued(operations[i]);
        /* An operation that cannot be listed is leaked: MPI may still read its copy. */
        list_add(&window->issued, operations[i]);
    }
    layer_unlock();
    return error == MPI_SUCCESS ? result : error;
}

/* ---- which ones ---- */

/* Takes the marked operations out of the list and issues them. */
static int issue_marked(struct stressed_window *window, const bool *marked, size_t count)
{
    struct operation **chosen = malloc((count ? count : 1) * sizeof *chosen);
    size_t taken = 0, kept = 0;
    if (!chosen) {
        /* Issue from the list itself, in place: all of it, which is always legal. */
        struct operation_list all = window->waiting;
        window->waiting = (struct operation_list){0};
        int error = issue(window, all.at, all.count);
        free(all.at);
        return error;
    }
    layer_lock();
    for (size_t i = 0; i < window->waiting.count; i++) {
        struct operation *operation = window->waiting.at[i];
        if (i < count && (!marked || marked[i]))
            chosen[taken++] = operation;
        else
            window->waiting.at[kept++] = operation;
    }
    window->waiting.count = kept;
    layer_unlock();
    int error = issue(window, chosen, taken);
    free(chosen);
    return error;
}

static inline bool is_on(const struct operation *operation, int target)
{
    return target == ALL_TARGETS || operation->target == target;
}

/* An accumulate must not be overtaken by a later one of its class. So if one is issued, all of its
 * class before it are (MPI-4.0 §12.7.2). Without memory for classes all accumulates count as one
 * class. */
static void mark_predecessors(const struct stressed_window *window, bool *marked, size_t count)
{
    struct placed *placed = malloc((count ? count : 1) * sizeof *placed);
    for (size_t i = 0; placed && i < count; i++) {
        const struct operation *operation = window->waiting.at[i];
        placed[i] = (struct placed){operation->kind, operation->target, operation->low,
                                    operation->high, -1};
    }
    bool classes = placed && order_classes(placed, count);
    int known = classes ? (int)count : 0;
    bool *due = calloc((size_t)known + 1, sizeof *due), any = false;
    for (size_t i = count; i-- > 0;) {
        if (!is_accumulate(window->waiting.at[i]->kind))
            continue;
        int class = classes ? placed[i].class : -1;
        if (marked[i]) {
            any = true;
            if (due && class >= 0)
                due[class] = true;
        } else if (due && class >= 0 ? due[class] : any) {
            marked[i] = true;
        }
    }
    free(due);
    free(placed);
}

int release_remote(struct stressed_window *window, int target)
{
    size_t count = window->waiting.count;
    bool *marked = NULL;
    if (!count)
        return MPI_SUCCESS;
    if (target != ALL_TARGETS) {
        marked = malloc(count * sizeof *marked);
        for (size_t i = 0; marked && i < count; i++)
            marked[i] = is_on(window->waiting.at[i], target);
    }
    int error = issue_marked(window, marked, count);
    free(marked);
    return error;
}

int release_local(struct stressed_window *window, int target)
{
    size_t count = window->waiting.count;
    bool *marked = count ? malloc(count * sizeof *marked) : NULL;
    if (!marked)
        return release_remote(window, target);
    for (size_t i = 0; i < count; i++) {
        struct operation *operation = window->waiting.at[i];
        marked[i] = false;
        if (!is_on(operation, target))
            continue;
        /* Legal: local completion promises nothing about the target, only that the origin buffer is
         * free, and it is if there is a copy (MPI-4.0 §12.5.4). */
        bool keep = settings.local_completion && !is_fetching(operation->kind);
        if (keep)
            operation_check(operation);
        marked[i] = !keep || !operation_copy(operation);
    }
    if (!window->unordered)
        mark_predecessors(window, marked, count);
    int error = issue_marked(window, marked, count);
    free(marked);
    return error;
}

int release_one(struct stressed_window *window, struct operation *operation)
{
    size_t count = window->waiting.count;
    bool *marked = count ? calloc(count, sizeof *marked) : NULL;
    if (!marked)
        return release_remote(window, ALL_TARGETS);
    for (size_t i = 0; i < count; i++)
        marked[i] = window->waiting.at[i] == operation;
    if (!window->unordered)
        mark_predecessors(window, marked, count);
    int error = issue_marked(window, marked, count);
    free(marked);
    return error;
}

int release_now(struct stressed_window *window, struct operation *operation)
{
    return issue(window, &operation, 1);
}

bool release_later(struct stressed_window *window, struct operation *operation)
{
    if (window->waiting.count >= WAITING_MOST) {
        pthread_mutex_lock(&window->releasing);
        release_remote(window, ALL_TARGETS);
        pthread_mutex_unlock(&window->releasing);
    }
    layer_lock();
    bool added = list_add(&window->waiting, operation);
    layer_unlock();
    return added;
}

/* ---- the end ---- */

void release_settle(struct stressed_window *window, int target, bool remote)
{
    size_t kept = 0;
    struct operation_list *list = &window->issued;
    for (size_t i = 0; i < list->count; i++) {
        struct operation *operation = list->at[i];
        if (!is_on(operation, target)) {
            list->at[kept++] = operation;
            continue;
        }
        fingerprint_operation(operation);
        operation_free(operation);
    }
    list->count = kept;
    if (!remote)
        return;
    for (int i = 0; i < window->ranks; i++)
        if (target == ALL_TARGETS || target == i)
            window->under_way[i] = 0;
}

bool release_is_pending(const struct stressed_window *window)
{
    if (window->waiting.count || window->issued.count)
        return true;
    for (int i = 0; i < window->ranks; i++)
        if (window->under_way[i])
            return true;
    return false;
}
