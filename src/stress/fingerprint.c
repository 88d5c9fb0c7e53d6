#include "fingerprint.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "layer.h"
#include "interpose/record.h"
#include "release.h"
#include "settings.h"
#include "transfers.h"

/* Prints per process, parts of a window that are told apart, and the size up to which a window is
 * printed every time. */
enum { PRINTS_MOST = 20000, PARTS = 512, EVERY_TIME = 64 << 10 };

static MPI_Comm
    world; /* of all processes, the layer's own; MPI_COMM_NULL: several threads may call MPI */
static int64_t generation, prints;
static atomic_bool has_chosen;

void fingerprint_prepare(void)
{
    int level = MPI_THREAD_SINGLE;
    world = handles.comm_null;
    pmpi.Query_thread(&level);
    /* With several threads in collective calls at once there is no common order for calls of our
     * own. */
    if (settings.fingerprints && level < MPI_THREAD_MULTIPLE)
        pmpi.Comm_split(handles.comm_world, 0, 0, &world);
}

void fingerprint_choice(void)
{
    struct record record;
    if (!settings.fingerprints || atomic_exchange(&has_chosen, true))
        return;
    record_begin(&record, "choice");
    record_number(&record, "generation", generation);
    record_end(&record);
}

/* ---- records ---- */

static bool begin(struct record *record, const char *key, uint64_t hash, uint64_t bytes)
{
    if (!settings.fingerprints || prints >= PRINTS_MOST)
        return false;
    prints++;
    record_begin(record, "fingerprint");
    record_string(record, "key", key);
    record_number(record, "generation", generation);
    record_number(record, "hash", (int64_t)hash);
    record_number(record, "bytes", (int64_t)bytes);
    return true;
}

static void print_data(struct site *site, const struct routine *routine, const char *key,
                       const struct bytes *bytes)
{
    struct record record;
    if (!begin(&record, key, bytes_hash(bytes), bytes->high - bytes->low))
        return;
    record_string(&record, "call", routine->name);
    record_number(&record, "site", (int64_t)site->number);
    record_end(&record);
}

void fingerprint_operation(const struct operation *operation)
{
    struct bytes bytes;
    char key[64];
    /* Atomic operations tell who came first, which is what they are for. */
    if (!settings.fingerprints)
        return;
    if (operation_tells_order(operation))
        fingerprint_choice();
    if (operation->kind != OPERATION_GET || !bytes_of(&bytes, &operation->result))
        return;
    snprintf(key, sizeof key, "get %08x %lu", operation->site->name, operation->site->prints++);
    print_data(operation->site, operation->routine, key, &bytes);
    bytes_free(&bytes);
}

void fingerprint_received(struct site *site, const struct routine *routine, int source, int tag,
                          const struct bytes *bytes)
{
    char key[96];
    if (!settings.fingerprints)
        return;
    snprintf(key, sizeof key, "recv %08x %d %d %lu", site->name, source, tag, site->prints++);
    print_data(site, routine, key, bytes);
}

/* Large memory is not looked at every time, so that it costs a program no more than the computation
 * between two synchronisations usually does. Which times depends on nothing but the count: prints
 * of the same number are compared. */
static bool is_due(uint64_t size, unsigned long number)
{
    uint64_t interval = size / EVERY_TIME;
    return interval < 2 || (number & (number - 1)) == 0 || number % interval == 0;
}

/* `start` is the displacement of the first byte; the parts are left out if they are as in the last
 * print. */
static void print_memory(struct stressed_window *window, const char *key, const char *base,
                         uint64_t size, uint64_t start, uint64_t *last_print)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    uint32_t hashes[PARTS];
    size_t parts = 0;
    uint64_t part = (size + PARTS - 1) / PARTS;
    struct record record;
    for (uint64_t i = 0; i < size; i += part)
        hashes[parts++] = (uint32_t)XXH3_64bits(base + i, size - i < part ? size - i : part);
    uint64_t hash = XXH3_64bits(hashes, parts * sizeof *hashes);
    if (!begin(&record, key, hash, size))
        return;
    pmpi.Win_get_name(window->model.handle, name, &length);
    record_number(&record, "window", (int64_t)window->id);
    if (length > 0 && name[0] && name[0] != '@') /* MPI's own names are no names */
        record_string(&record, "name", name);
    if (window->model.kind == OBJECT_shared_window)
        record_number(&record, "shared", 1);
    record_number(&record, "start", (int64_t)start);
    record_number(&record, "chunk", (int64_t)part);
    if (!last_print || hash != *last_print) {
        record_array(&record, "chunks");
        for (size_t i = 0; i < parts; i++)
            record_number(&record, NULL, hashes[i]);
        record_array_end(&record);
    }
    if (last_print)
        *last_print = hash;
    record_end(&record);
}

/* No message is about to arrive there. */
static bool is_steady(const char *base, uint64_t size)
{
    return !transfers_write_to((uint64_t)(uintptr_t)base, (uint64_t)(uintptr_t)base + size);
}

static void print_window(struct stressed_window *window, bool last)
{
    char key[96];
    unsigned long number = window->prints++;
    if (window->base && window->size && (last || is_due(window->size, number)) &&
        is_steady(window->base, window->size)) {
        snprintf(key, sizeof key, "window %llx %lu", (unsigned long long)window->id, number);
        print_memory(window, key, window->base, window->size, 0, &window->last_print);
    }
    /* A dynamic window's displacements are addresses. */
    for (struct region *region = window->regions; region; region = region->next) {
        if (!region->size || !(last || is_due(region->size, number)) ||
            !is_steady(region->base, region->size))
            continue;
        snprintf(key, sizeof key, "region %llx.%d %lu", (unsigned long long)window->id,
                 region->number, number);
        print_memory(window, key, region->base, region->size, (uint64_t)(uintptr_t)region->base,
                     NULL);
    }
}

/* ---- moments ---- */

/* Whether any process has something pending; everybody is here when it returns. */
static bool any_pending(MPI_Comm comm, int pending)
{
    int any = 1;
    return pmpi.Allreduce(&pending, &any, 1, handles.integer, handles.max, comm) != MPI_SUCCESS ||
           any;
}

/* Whether this process has operations under way, in any window: another one may show the same
 * memory. */
static bool has_pending(void)
{
    bool pending = false;
    for (struct stressed_window *window = stressed_first(); window; window = stressed_next(window))
        pending |= release_is_pending(window);
    return pending;
}

/* Whether the window's memory may change meanwhile: by operations in it, or in others that show the
 * same memory. */
static bool may_change(const struct stressed_window *window)
{
    enum { HERE, ANYWHERE, OVERLAP, ALIEN, FACTS };
    int mine[FACTS] = {release_is_pending(window), has_pending(), window_overlaps(window),
                       window_is_shown_to_others(window)};
    int all[FACTS];
    if (pmpi.Allreduce(mine, all, FACTS, handles.integer, handles.max, window->comm) != MPI_SUCCESS)
        return true;
    return all[HERE] || (all[ANYWHERE] && all[OVERLAP]) || all[ALIEN];
}

void fingerprint_window(struct stressed_window *window, bool last)
{
    if (!settings.fingerprints)
        return;
    generation++;
    if (!may_change(window))
        print_window(window, last);
    pmpi.Barrier(window->comm);
}

void fingerprint_exposed(struct stressed_window *window)
{
    if (settings.fingerprints && !release_is_pending(window) && !window_overlaps(window))
        print_window(window, false);
}

void fingerprint_collective(MPI_Comm comm)
{
    /* All or none: a process without windows must not be waited for. */
    if (world == handles.comm_null || !windows_everywhere() || !comm_is_of_world(comm))
        return;
    generation++;
    if (!any_pending(world, has_pending()))
        for (struct stressed_window *window = stressed_first(); window;
             window = stressed_next(window))
            print_window(window, false);
    pmpi.Barrier(world);
}
