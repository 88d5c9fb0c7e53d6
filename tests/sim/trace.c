#include "trace.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[EVENT_KINDS] = {
    "access",
    "rma",
    "executed",
    "request_done",
    "request_free",
    "flush",
    "flush_done",
    "flush_local",
    "flush_local_done",
    "fence",
    "fence_done",
    "post",
    "start",
    "complete",
    "complete_done",
    "wait_done",
    "locked",
    "unlock",
    "unlock_done",
    "send",
    "send_done",
    "recv",
    "recv_done",
    "collective",
    "collective_done",
    "win_create",
    "win_create_done",
    "win_free",
    "win_free_done",
    "attach",
    "detach",
    "buffer_begin",
    "buffer_end",
    "thread_create",
    "thread_begin",
    "thread_end",
    "thread_join",
    "mutex_lock",
    "mutex_unlock",
    "thread_barrier",
    "thread_barrier_done",
    "signal",
    "await",
};

void *trace_room(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    array = realloc(array, *capacity * size);
    if (!array)
        abort();
    return array;
}

void trace_clear(struct trace *trace)
{
    free(trace->events);
    free(trace->operations);
    free(trace->messages);
    free(trace->collectives);
    free(trace->buffers);
    memset(trace, 0, sizeof *trace);
}

void trace_print(FILE *file, const struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_event *event = &trace->events[i];
        fprintf(file, "%4zu  %u.%u %-16s #%u  ", i, event->rank, event->thread, names[event->what],
                event->id);
        if (event->step)
            step_print(file, event->step);
        else
            fprintf(file, "\n");
    }
}
