#include "shortage.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interpose/heap_sites.h"
#include "interpose/record.h"
#include "interpose/regatta_options.h"
#include "session.h"
#include "engine/engine.h"

static size_t cap;
static char cap_text[64];
static bool is_told;       /* that the process is blind */
static bool has_forgotten; /* what lay long before, at the cap */

void shortage_prepare(void)
{
    heap_prepare();
    bool fails_here = options.fail_rank == session.rank;
    if (options.fail_allocation || options.count_allocations)
        heap_count(fails_here ? options.fail_allocation : 0);
    if (options.count_allocations)
        heap_sites_watch(fails_here ? (uint32_t)options.fail_site : 0);
}

/* A container may have less than the machine. */
static size_t memory_of_machine(void)
{
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    char text[32] = "";
    int file = open("/sys/fs/cgroup/memory.max", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return bytes;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    size_t limit = length > 0 ? strtoull(text, NULL, 10) : 0; /* "max" is 0 */
    return limit && limit < bytes ? limit : bytes;
}

void shortage_set_cap(int ranks_on_node)
{
    cap = (size_t)options.memory_cap << 20;
    if (!cap)
        cap = memory_of_machine() / 2 / (size_t)(ranks_on_node > 0 ? ranks_on_node : 1);
    snprintf(cap_text, sizeof cap_text, "memory cap of %zu MiB reached", cap >> 20);
    heap_set_cap(cap);
}

static void go_blind(const char *why)
{
    if (is_told)
        return;
    is_told = true;
    heap_note_shortage();
    record_limit("memory", "anything from some moment on", why);
    session_give_up_races(why);
}

/* False: it is no longer enough, or there is nothing to forget. The memory that it frees stays with
 * the heap and is used again, so what is held falls no more. */
static bool forget_the_oldest(void)
{
    if (!session.engine || !session_can_look_for_races() ||
        heap_held() > cap + heap_room_above_cap())
        return false;
    if (!has_forgotten)
        record_limit("memory", "races with what was done long before", cap_text);
    has_forgotten = true;
    engine_forget_past(session.engine);
    heap_mind_cap();
    return true;
}

void shortage_act(void)
{
    if (heap_is_short()) {
        go_blind(cap && heap_held() > cap ? cap_text : "no memory left");
        return;
    }
    if (forget_the_oldest())
        return;
    session_give_up_races(cap_text);
    session_close_engine();
    heap_pass_cap();
}

static void tell_site(uint32_t site, const uint32_t calls[3], bool has_failed)
{
    fprintf(stderr, "regatta: rank %d: site %" PRIu32 " %#x %#x %#x%s\n", session.rank, site,
            calls[0], calls[1], calls[2], has_failed ? " failed" : "");
}

void shortage_end(void)
{
    shortage_mind();
    if (!options.count_allocations)
        return;
    fprintf(stderr, "regatta: rank %d: %ld allocations\n", session.rank, heap_allocations());
    heap_sites_each(tell_site);
}
