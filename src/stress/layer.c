#include "layer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fingerprint.h"
#include "hang.h"
#include "interpose/datatype_layout.h"
#include "interpose/regatta_options.h"
#include "interpose/pmpi.h"
#include "interpose/process.h"
#include "random.h"
#include "interpose/heap.h"
#include "interpose/record.h"
#include "mpi/routine.h"
#include "settings.h"
#include "sites.h"

struct layer layer;
atomic_bool layer_active;

/* All sleep of a process, in microseconds: a program of very many operations is to end in time. */
enum { SLEEP_MOST = 3000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool was_started;

void layer_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void layer_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

bool layer_admits(enum routine_id routine, const void *caller, const void *frame)
{
    (void)caller, (void)frame;
    return process_may_start(routine) && !was_started;
}

static void become_bystander(void)
{
    atomic_store(&layer_active, false);
    record_close();
}

static __attribute__((destructor)) void leave(void)
{
    layer_end("exited");
}

void layer_start(void)
{
    const char *directory = getenv("REGATTA_RECORDS");
    was_started = true;
    options_read();
    settings_read();
    fingerprint_prepare(); /* first of all, because it is collective */
    heap_prepare();
    if (!directory || !record_open(directory)) {
        fprintf(stderr, "regatta: cannot write records to %s: %s; this process is not stressed\n",
                directory ? directory : "(no directory)", strerror(errno));
        return;
    }
    pmpi.Comm_rank(handles.comm_world, &layer.rank);
    pmpi.Comm_size(handles.comm_world, &layer.ranks);
    layer.layouts = layout_cache_create();
    layer.random = (uint64_t)settings.seed * 1000003 + (uint64_t)layer.rank;
    process_record(layer.rank, layer.ranks);
    if (!layer.layouts) {
        record_limit("process", "anything of a process", "no memory at the start");
        return;
    }
    hang_prepare();
    pthread_atfork(NULL, NULL, become_bystander);
    atomic_store_explicit(&layer_active, true, memory_order_release);
}

void layer_end(const char *state)
{
    if (!layer_is_active())
        return;
    atomic_store(&layer_active, false);
    sites_record();
    record_finish(state);
    record_close();
}

uint64_t layer_random(uint64_t limit)
{
    layer_lock();
    uint64_t number = random_below(&layer.random, limit);
    layer_unlock();
    return number;
}

static atomic_ulong spent; /* microseconds asleep, of all threads */

void layer_sleep(long most)
{
    if (most <= 0 || spent > SLEEP_MOST)
        return;
    uint64_t microseconds = layer_random((uint64_t)most + 1);
    spent += microseconds;
    struct timespec time = {.tv_sec = (time_t)(microseconds / 1000000),
                            .tv_nsec = (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}
