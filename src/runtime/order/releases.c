#include "releases.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "actors.h"
#include "clocks.h"
#include "crossings.h"
#include "comms.h"
#include "release_boards.h"
#include "session.h"
#include "engine/table.h"
#include "interpose/pmpi.h"
#include "transport.h"

/* ---- fetches under way ---- */

/* A fetch that is not complete at its origin, or an update that fetches nothing, but whose value is
 * known, or will be. Fetches without a request of the same bytes, of which nothing is known, are
 * one. */
struct fetch {
    struct release_location location;
    uint64_t request;   /* 0: none */
    uint64_t own;       /* the stamp until which own updates have come before it */
    uint64_t serial;    /* of the latest one that it stands for */
    uint64_t stamp;     /* of the update whose value is known, or 0 */
    const void *result; /* where the one element that is fetched will be, or NULL */
    struct release_value compare, operand;
    enum release_op op;
    bool reads, asks;
    bool alone;                   /* release_buffers.alone */
    struct release_answer answer; /* if it asks */
    struct target_fetches *to;
    struct fetch *next, **link;
    UT_hash_handle hh; /* by request */
};

/* Those to one target of a window. */
struct target_fetches {
    struct {
        window_t window;
        uint64_t target;
    } key;
    struct fetch *first;
    size_t count;
    struct target_fetches *next; /* of the same window */
    UT_hash_handle hh;
};

struct window_fetches {
    window_t window;
    struct target_fetches *targets;
    UT_hash_handle hh;
};

static struct target_fetches *targets;
static struct window_fetches *windows;
static struct fetch *by_request, *spare;
static uint64_t fetches; /* so far */

static struct target_fetches *target_find(window_t window, uint32_t target)
{
    struct target_fetches like = {.key = {window, target}}, *found;
    HASH_FIND(hh, targets, &like.key, sizeof like.key, found);
    return found;
}

static struct window_fetches *window_find(window_t window)
{
    struct window_fetches *found;
    HASH_FIND(hh, windows, &window, sizeof window, found);
    return found;
}

static struct target_fetches *target_make(window_t window, uint32_t number)
{
    struct target_fetches *target = target_find(window, number);
    struct window_fetches *of = window_find(window);
    if (target)
        return target;
    if (!of && (of = calloc(1, sizeof *of))) {
        of->window = window;
        HASH_ADD(hh, windows, window, sizeof of->window, of);
    }
    target = of ? calloc(1, sizeof *target) : NULL;
    if (!target)
        return NULL;
    target->key.window = window;
    target->key.target = number;
    target->next = of->targets;
    of->targets = target;
    HASH_ADD(hh, targets, key, sizeof target->key, target);
    return target;
}

static void fetch_remove(struct fetch *fetch)
{
    *fetch->link = fetch->next;
    if (fetch->next)
        fetch->next->link = fetch->link;
    fetch->to->count--;
    if (fetch->request)
        HASH_DEL(by_request, fetch);
    fetch->next = spare;
    spare = fetch;
}

/* So many of the last ones are compared, and so many are kept: if there are more, one that reads
 * what all updates of the window wrote stands for the rest. That orders more. */
enum { COMPARED = 8, MOST_FETCHES = 256 };

static struct fetch *fetch_like(const struct target_fetches *target, const struct fetch *like)
{
    const struct release_location *location = &like->location;
    struct fetch *fetch = target->first;
    if (like->request || like->result || like->stamp)
        return NULL;
    for (int i = 0; fetch && i < COMPARED; i++, fetch = fetch->next)
        if (!fetch->request && !fetch->result && !fetch->stamp &&
            fetch->location.start == location->start &&
            fetch->location.length == location->length &&
            fetch->location.element == location->element)
            return fetch;
    return NULL;
}

static struct release_location everywhere(const struct release_location *location)
{
    uint64_t all = release_board_key(location->window, 'E');
    return (struct release_location){.window = location->window,
                                     .target = location->target,
                                     .length = UINT64_C(1) << 62,
                                     .reads = {all},
                                     .nreads = 1};
}

/* Gives NULL if it is not kept (`asks`) or there is no memory. */
static struct fetch *fetch_add(struct fetch like)
{
    struct target_fetches *target = target_make(like.location.window, like.location.target);
    if (!target)
        return NULL;
    struct fetch *fetch = fetch_like(target, &like);
    if (!fetch) {
        fetch = spare;
        if (fetch)
            spare = fetch->next;
        else if (!(fetch = malloc(sizeof *fetch)))
            return NULL;
        *fetch = like;
        if (like.asks)
            fetch->result = &fetch->answer.found;
        fetch->to = target;
        fetch->next = target->first;
        fetch->link = &target->first;
        if (fetch->next)
            fetch->next->link = &fetch->next;
        target->first = fetch;
        target->count++;
        if (like.request)
            HASH_ADD(hh, by_request, request, sizeof fetch->request, fetch);
    }
    fetch->own = like.own;
    fetch->serial = ++fetches;
    return fetch;
}

static bool has_room(window_t window, uint32_t target)
{
    const struct target_fetches *found = target_find(window, target);
    return !found || found->count < MOST_FETCHES;
}

/* ---- what a fetch has seen ---- */

/* The updates that were seen at these bytes are over. So are own ones before the fetch; that
 * matters only if the call did not complete them anyway. */
static void tell_seen(const struct fetch *fetch, uint64_t board,
                      const struct release_entry *entries, size_t count, bool locally)
{
    size_t most = 0, nstamps = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        most += entries[i].nstamps;
    struct release_stamp *stamps = malloc((most + 1) * sizeof *stamps);
    struct update_seen *seen = malloc((most + 1) * sizeof *seen);
    for (size_t i = 0; stamps && seen && i < count; i++)
        for (uint64_t k = 0; k < entries[i].nstamps; k++)
            release_stamp_join(stamps, &nstamps, release_stamp_of(&entries[i], k));
    for (size_t i = 0; i < nstamps; i++) {
        uint64_t stamp = stamps[i].stamp;
        if (stamps[i].actor == actor_of((uint32_t)session.rank, acting())) {
            stamp = fetch->own < stamp ? fetch->own : stamp;
            if (!locally)
                continue;
        }
        seen[n++] =
            (struct update_seen){actor_rank(stamps[i].actor), actor_thread(stamps[i].actor), stamp};
    }
    if (!stamps || !seen)
        session_give_up_races("no memory left for the order of atomics");
    struct section bytes = release_bytes_of_board(&fetch->location, board);
    if (n)
        engine_updates_seen(session.engine, acting(), fetch->location.window,
                            fetch->location.target, &bytes, seen, n);
    free(stamps);
    free(seen);
}

/* What a board said of a location when it was read. */
struct reading {
    void *bytes;
    size_t size, count;
    struct release_entry entries[RELEASE_MOST_ENTRIES + 1];
};

static void read_board(struct reading *reading, const struct release_location *location, uint64_t i)
{
    reading->bytes = board_read(location->target, location->reads[i], &reading->size);
    reading->count = release_read_entries(reading->bytes, reading->size, reading->entries);
}

/* An update that is under way may be over any moment, and then its value is known. Nobody may have
 * to wait for long: the update may be completed only when the program has gone on here. Where that
 * was in vain, less is waited for the next time. */
enum { LONGEST_WAIT = 256, WAIT_AGAIN = 64 }; /* milliseconds, looks */
static struct {
    uint64_t limit;
    unsigned left_out;
} waits = {.limit = LONGEST_WAIT};

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* MPI goes on with what others want of this process. */
static void let_others_go_on(void)
{
    int flag;
    pmpi.Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handles.comm_self, &flag, MPI_STATUS_IGNORE);
    sched_yield();
}

/* Notes in `news` what the process had not heard of, where that matters. */
static void look_for_news(const struct fetch *fetch, const struct reading *reading,
                          struct release_reading *about, bool *news)
{
    about->news = NULL;
    if (!fetch->alone || actors_are_concurrent() ||
        !release_needs_news(reading->entries, reading->count, about))
        return;
    for (size_t i = 0; i < reading->count; i++)
        news[i] = release_is_unheard_of(&reading->entries[i]);
    about->news = news;
    about->quiet = release_is_quiet_between;
}

/* Until it does not matter any more what updates under way write. What is published meanwhile came
 * after the fetch. */
static void await_values(struct reading *reading, const struct fetch *fetch,
                         struct release_reading *about, bool *news)
{
    uint64_t until = release_count(reading->entries, reading->count), since = milliseconds();
    bool again = waits.limit > 0 || waits.left_out++ % WAIT_AGAIN == WAIT_AGAIN - 1;
    look_for_news(fetch, reading, about, news);
    while (release_awaits(reading->entries, reading->count, about)) {
        if (!again || actors_are_concurrent() || milliseconds() - since > waits.limit) {
            waits.limit /= 2;
            return;
        }
        let_others_go_on();
        free(reading->bytes);
        read_board(reading, &fetch->location, 0);
        reading->count = release_leave_until(reading->entries, reading->count, until);
        look_for_news(fetch, reading, about, news);
        if (!release_awaits(reading->entries, reading->count, about))
            waits.limit = waits.limit < LONGEST_WAIT / 2 ? 2 * waits.limit + 1 : LONGEST_WAIT;
    }
}

/* Leaves of a board's entries those of updates that a fetch of this value can have seen. Whether
 * the next fetch can have seen more of the same ones. */
static bool leave_seen(const struct fetch *fetch, uint64_t value, struct reading *reading)
{
    struct release_reading about = {.value = value,
                                    .own = {actor_of((uint32_t)session.rank, acting()), fetch->own},
                                    .address = fetch->location.address,
                                    .length = fetch->location.length};
    bool seen[RELEASE_MOST_ENTRIES + 1], news[RELEASE_MOST_ENTRIES + 1];
    size_t left = 0;
    await_values(reading, fetch, &about, news);
    release_seen_by(reading->entries, reading->count, &about, seen);
    for (size_t i = 0; i < reading->count; i++)
        if (seen[i])
            reading->entries[left++] = reading->entries[i];
    reading->count = left;
    return about.news != NULL;
}

/* The value of a fetch of one element, which is complete. Only the first thread is asked: it knows
 * that nobody has used the buffer since. */
static struct release_value value_of(const struct fetch *fetch)
{
    struct release_value value = {0, 0};
    if (!fetch || !fetch->result || acting() != 0)
        return value;
    value.known = 1;
    memcpy(&value.bytes, fetch->result, fetch->location.length);
    return value;
}

/* `fetch` is NULL for an atomic of the language. Where large operations have left something, they
 * may have written the value, too. The board of the large ones is read last: if it is empty,
 * it was when the others were read. */
static void acquire(const struct release_location *location, const struct fetch *fetch,
                    struct release_value value, bool locally)
{
    struct reading readings[RELEASE_SMALL + 1];
    for (uint64_t i = 0; i < location->nreads; i++)
        read_board(&readings[i], location, i);
    if (location->nreads != 2 || readings[1].size > 0)
        value = (struct release_value){0, 0};
    for (uint64_t i = 0; i < location->nreads; i++) {
        struct reading *reading = &readings[i];
        uint64_t mark = value.known ? value.bytes + 1 : 0;
        if (reading->count &&
            release_is_news(location, i, reading->bytes, reading->size, mark, locally)) {
            if (value.known && i == 0 && leave_seen(fetch, value.bytes, reading))
                release_forget_reading(location, i, locally);
            for (size_t k = 0; k < reading->count; k++)
                engine_clock_receive(session.engine, acting(), reading->entries[k].clock,
                                     reading->entries[k].size);
            if (fetch)
                tell_seen(fetch, i, reading->entries, reading->count, locally);
            releases_outdate();
        }
        free(reading->bytes);
    }
}

static struct fetch *fetch_by_serial(const struct target_fetches *target, uint64_t serial)
{
    struct fetch *fetch = target->first;
    while (fetch && fetch->serial != serial)
        fetch = fetch->next;
    return fetch;
}

/* What the update wrote is told to everybody. */
static void fetch_executed(struct fetch *fetch, bool all)
{
    if (fetch->asks && fetch->answer.has_request) /* is complete: this frees it */
        pmpi.Wait(&fetch->answer.request, MPI_STATUS_IGNORE);
    fetch->answer.has_request = false;
    struct release_value value = value_of(fetch);
    uint64_t stamp = fetch->stamp;
    fetch->stamp = 0;
    if (stamp && acting() == 0 && (value.known || (!fetch->compare.known && !fetch->operand.known)))
        release_executed(
            &fetch->location,
            &(struct release_end){
                .stamp = stamp,
                .updated = !fetch->compare.known || fetch->compare.bytes == value.bytes,
                .all = all,
                .value = release_value_written(fetch->op, value.bytes, fetch->operand.bytes,
                                               fetch->location.length)});
}

/* While its boards are waited for, other threads may complete the same fetch, for they must not go
 * on before they have learnt what it saw; or issue it again, so that it stays. */
static void fetch_complete(const struct fetch *completed, bool locally)
{
    struct fetch fetch = *completed;
    if (fetch.reads)
        acquire(&fetch.location, &fetch, value_of(&fetch), locally);
    struct fetch *left = fetch_by_serial(fetch.to, fetch.serial);
    if (left)
        fetch_remove(left);
}

/* ---- operations ---- */

uint64_t release_prepare(void)
{
    return engine_update_begin(session.engine, acting(), false);
}

/* For requests that mean nothing to the engine: its own numbers are below. */
#define FETCH_REQUEST (UINT64_C(1) << 62)

/* With the session's lock. */
static uint64_t last_request = FETCH_REQUEST, last_stamp;

static struct release_value value_at(const void *element, uint64_t size)
{
    struct release_value value = {element && acting() == 0, 0};
    if (value.known)
        memcpy(&value.bytes, element, size);
    return value;
}

/* What is known of an update's value when it is issued. Without `room` nobody will tell when it is
 * over, so it counts as one that may write anything at any time: that orders more. */
static struct release_value value_issued(const struct release_buffers *buffers, uint64_t size,
                                         bool room)
{
    struct release_value value = value_at(buffers->writes, size);
    if (acting() == 0 && buffers->operand && (buffers->result || buffers->asks))
        value.known = VALUE_LATER;
    else if (value.known && buffers->compare)
        value.known = VALUE_MAYBE;
    return room ? value : (struct release_value){0, 0};
}

uint64_t release_issued(const struct rma_op *op, uint64_t base, uint64_t stamp,
                        struct release_buffers *buffers, uint64_t request, bool has_request)
{
    bool reads = access_reads_target(op->kind, op->op);
    bool room = (has_request && reads) || has_room(op->window, op->target);
    buffers->asks = buffers->asks && room && acting() == 0;
    if (op->section_count == 0)
        return request;
    struct fetch fetch = {
        .location = release_location_of(op, base), .reads = reads, .asks = buffers->asks};
    bool repeats = false, writes = access_writes_target(op->kind, op->op);
    if (writes) {
        struct release_value value = value_issued(buffers, op->type_size, room);
        fetch.operand = value_at(buffers->operand, op->type_size);
        fetch.op = buffers->op;
        repeats = stamp == last_stamp;
        last_stamp = stamp;
        fetch.compare = value_at(buffers->compare, op->type_size);
        struct release_change change = {.value = value,
                                        .operand = value.known == VALUE_MAYBE ? fetch.compare.bytes
                                                                              : fetch.operand.bytes,
                                        .address = fetch.location.address,
                                        .length = (uint32_t)fetch.location.length,
                                        .op = buffers->op,
                                        .spared = buffers->spared};
        release_publish(&fetch.location, stamp, &change);
        fetch.stamp = value.known ? stamp : 0;
    }
    if (!fetch.reads && !fetch.stamp)
        return request;
    if (fetch.reads) {
        if (has_request && !request)
            request = ++last_request;
        fetch.request = request;
        fetch.result = buffers->result;
        fetch.alone = buffers->alone;
    }
    if (!room) {
        fetch.location = everywhere(&fetch.location);
        fetch.result = NULL;
    }
    /* A fetch that updates has not seen itself, but maybe earlier ones with the same stamp. */
    fetch.own = writes && !repeats ? stamp - 1 : stamp;
    struct fetch *added = fetch_add(fetch);
    if (!added)
        session_give_up_races("no memory for atomics under way");
    buffers->asks = buffers->asks && added;
    if (buffers->asks)
        *(buffers->answer = &added->answer) =
            (struct release_answer){.operand = fetch.operand.bytes};
    return request;
}

/* ---- atomics of the language ---- */

void release_publish_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct release_location place = release_word_of(window, owner, offset);
    release_publish(&place, release_last_stamp(), &(struct release_change){0});
}

void release_publish_fenced_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct release_location place = release_word_of(window, owner, offset);
    release_publish_fenced(&place);
}

void release_acquire_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct release_location place = release_word_of(window, owner, offset);
    acquire(&place, NULL, (struct release_value){0, 0}, true);
}

/* ---- completion ---- */

/* Those that other threads issue meanwhile are not complete: they stand before the others. Whoever
 * fetches may wait for what updates write, so all that is known of them is told first. */
static bool is_complete(const struct fetch *fetch, uint64_t last, bool locally)
{
    return fetch->serial <= last && (!locally || fetch->reads || fetch->asks);
}

static void target_executed(struct target_fetches *target, uint64_t last, bool locally, bool all)
{
    struct fetch *fetch = target ? target->first : NULL;
    while (fetch) {
        if (!fetch->stamp || !is_complete(fetch, last, locally)) {
            fetch = fetch->next;
            continue;
        }
        fetch_executed(fetch, all);
        fetch = target->first;
    }
}

static void target_completed(struct target_fetches *target, uint64_t last, bool locally)
{
    struct fetch *fetch = target ? target->first : NULL;
    while (fetch) {
        if (!is_complete(fetch, last, locally)) {
            fetch = fetch->next;
            continue;
        }
        fetch_complete(fetch, locally);
        fetch = target->first;
    }
}

/* Memory can be in several windows, which complete by themselves. */
static bool are_under_way_elsewhere(window_t window)
{
    for (const struct target_fetches *each = targets; each; each = each->hh.next)
        if (each->key.window != window && each->count > 0)
            return true;
    return false;
}

static void complete(window_t window, uint32_t target, bool locally)
{
    uint64_t last = fetches;
    bool all = !locally && !actors_are_concurrent() && !are_under_way_elsewhere(window);
    if (target != RANK_ALL) {
        target_executed(target_find(window, target), last, locally, all);
        target_completed(target_find(window, target), last, locally);
        return;
    }
    struct window_fetches *of = window_find(window);
    for (struct target_fetches *each = of ? of->targets : NULL; each; each = each->next)
        target_executed(each, last, locally, all);
    for (struct target_fetches *each = of ? of->targets : NULL; each; each = each->next)
        target_completed(each, last, locally);
}

void releases_completed(window_t window, uint32_t target)
{
    complete(window, target, false);
}

void releases_completed_locally(window_t window, uint32_t target)
{
    complete(window, target, true);
}

void release_request_complete(uint64_t request)
{
    struct fetch *fetch;
    HASH_FIND(hh, by_request, &request, sizeof request, fetch);
    if (fetch) {
        fetch_executed(fetch, false);
        fetch_complete(fetch, true);
    }
}

void releases_forget(window_t window)
{
    struct window_fetches *of = window_find(window);
    while (of && of->targets) {
        struct target_fetches *target = of->targets;
        of->targets = target->next;
        while (target->first)
            fetch_remove(target->first);
        HASH_DEL(targets, target);
        free(target);
    }
    if (of) {
        HASH_DEL(windows, of);
        free(of);
    }
    board_remove(session.rank, release_board_key(window, 'L'));
    board_remove(session.rank, release_board_key(window, 'E'));
}
