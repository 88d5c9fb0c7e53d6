/* The blackboards on which the clocks of updates stand (releases.h says why): which of them an
 * operation writes and reads, and what stands there. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_RELEASE_BOARDS_H
#define REGATTA_RUNTIME_RELEASE_BOARDS_H

#include <stddef.h>

#include "engine/engine.h"

enum { RELEASE_SMALL = 4 }; /* elements of an operation that has a board for each, at most */

/* Where the clocks of an operation's bytes stand. */
struct release_location {
    window_t window;
    uint32_t target;
    uint64_t start, length; /* its bytes, from the start of the target's window memory */
    uint64_t address;       /* of the first of them, in the target */
    uint64_t element;       /* bytes per board of a small one */
    uint64_t keys[RELEASE_SMALL + 2], nkeys; /* where an update writes */
    uint64_t reads[RELEASE_SMALL + 1], nreads;
};

/* Keys are never 0: that is a free slot. */
uint64_t release_board_key(uint64_t what, uint64_t which);
struct release_location release_location_of(const struct rma_op *op, uint64_t base);
/* Of an atomic of the programming language. */
struct release_location release_word_of(window_t window, uint32_t owner, uint64_t offset);
/* The bytes of a location to which a board that it reads belongs. */
struct section release_bytes_of_board(const struct release_location *location, uint64_t i);

/* Until this stamp the updates of that actor had been issued. */
struct release_stamp {
    actor_t actor;
    uint64_t stamp;
};

/* What an update writes, where it is known: one element of at most 8 bytes that is replaced or
 * swapped. Of a sum of integers that fetches the origin knows it when it is complete; until then it
 * may be any. A compare-and-swap writes this value (MAYBE) or, it turns out, none. Of others only
 * the target knows it. */
enum { VALUE_UNKNOWN, VALUE_KNOWN, VALUE_LATER, VALUE_MAYBE };
struct release_value {
    uint64_t known;
    uint64_t bytes; /* the element, in the first of them */
};

/* What an update makes of an integer and its operand. */
enum release_op {
    RELEASE_OTHER,
    RELEASE_SUM,
    RELEASE_AND,
    RELEASE_OR,
    RELEASE_XOR,
    RELEASE_MIN,
    RELEASE_MAX,
    RELEASE_MIN_UNSIGNED,
    RELEASE_MAX_UNSIGNED
};

/* What the update wrote over an integer of so many bytes. */
struct release_value release_value_written(enum release_op op, uint64_t found, uint64_t operand,
                                           uint64_t size);

/* On a board each writer has entries of its own, which it replaces: to join clocks costs several
 * times what it costs to copy them. Of an update that writes an unknown value one entry stands for
 * all earlier ones of its writer; of updates whose values are known the last few are kept, so that
 * a fetch finds the one that it read (releases.h). With many entries that would be long, so all
 * become one that is nobody's, with the stamps of all.
 *
 *     [ entry | stamps … | clock | to a multiple of 32 bytes ] … */
enum {
    RELEASE_MOST_UNKNOWN = 8, /* entries, before an update of unknown value joins them */
    RELEASE_MOST_ENTRIES = 64,
    RELEASE_KEPT = 8, /* of one writer */
};

/* What an update does to an element, as far as its value is known, or will be. */
struct release_change {
    struct release_value value;
    uint64_t operand; /* VALUE_LATER: of op; VALUE_MAYBE: what the swap compares with */
    uint64_t address; /* of the element in the target */
    uint32_t length;
    uint16_t op;
    uint16_t spared; /* certainly its process has written there by nothing but updates */
};

/* Published and over by the board's own count of what is written to it. An update was executed
 * after the one and before the other; over is 0 as long as nobody knows. */
struct release_entry {
    int32_t writer;
    uint32_t size;    /* of the clock */
    uint64_t nstamps; /* 1 if it has a writer */
    uint64_t published, over;
    struct release_change change;
    const unsigned char *stamps, *clock;
};
enum { RELEASE_ENTRY_HEAD = offsetof(struct release_entry, stamps) };
#define RELEASE_NEVER_OVER UINT64_MAX

/* The count of a board: nothing was published or over later. */
uint64_t release_count(const struct release_entry *entries, size_t count);
/* Takes away what the new entry `own` leaves no room for, newest first: all earlier ones of its
 * writer if its value is not known, since who may have seen it may have seen them, else all but the
 * last few. How many are left. */
size_t release_keep(struct release_entry *entries, size_t count, const struct release_entry *own);
/* A fetch that is complete. */
struct release_reading {
    uint64_t value;           /* that it got */
    struct release_stamp own; /* it cannot have read what its own process issued later */
    uint64_t address, length;
    const bool *news; /* by entry: its process had not heard of that update; NULL: nothing is
                         known of that, and there is no `quiet` */
    /* Whether certainly nothing but updates wrote there between two of them, of which one was over
     * when the other was issued. */
    bool (*quiet)(const struct release_entry *first, const struct release_entry *second);
};

/* Which updates a fetch can have seen: is[i] of entries[i]. It has read what one update wrote that
 * writes this value, or an unknown one. Whatever was published after that one was over came later
 * than it, and has not been seen by that. If none can have written the value, it was there before
 * all of them.
 *
 * A swap or a sum under way has written the value only if it found what it makes the value of.
 * That is known behind a fence: an update that is over, and that is news to the fetch's process. No
 * put or store came between that one and the fetch (it would have to be ordered with both, so the
 * process would have heard of the fence), hence whatever was published behind it finds what the
 * fence wrote, or one that was under way at the same time or later:
 *
 *         O   replace by 1 (5) . flush  put  flush  swap 9 → 1 (7) ...... under way for long
 *         Q             fetch got 1 .............................. looks: nobody wrote 9 behind 5,
 *                                                                  so 7 cannot be what it read
 *
 * And where it was quiet between the fence and the one under way, whoever has heard of the fence. A
 * swap that cannot have found what it compares with is no update, so nothing was seen of it either
 * by who has read a later one. */
void release_seen_by(const struct release_entry *entries, size_t count,
                     const struct release_reading *reading, bool *is);

/* Whether that may be less when updates that are under way are over. */
bool release_awaits(const struct release_entry *entries, size_t count,
                    const struct release_reading *reading);
/* Whether that depends on what is news: the same entries may mean more to the next fetch. */
bool release_needs_news(const struct release_entry *entries, size_t count,
                        const struct release_reading *reading);
/* All updates of this writer are over, also those whose values nobody will tell. Whether there were
 * any of these. */
bool release_all_over(struct release_entry *entries, size_t count, int32_t writer, uint64_t over);
/* Leaves those that had been published when the board's count was this; how many. */
size_t release_leave_until(struct release_entry *entries, size_t count, uint64_t until);

/* How many entries the board has; at most RELEASE_MOST_ENTRIES + 1. */
size_t release_read_entries(const unsigned char *bytes, size_t size, struct release_entry *entries);
struct release_stamp release_stamp_of(const struct release_entry *entry, uint64_t i);
/* The latest stamp of each actor, in a list that has room for one more. */
void release_stamp_join(struct release_stamp *stamps, size_t *count, struct release_stamp stamp);
uint64_t release_hash_of(const unsigned char *bytes, size_t size);

/* Writes what this process knows to the boards of the location, for an update that does that. */
void release_publish(const struct release_location *location, uint64_t stamp,
                     const struct release_change *change);
/* The same with what the actor knew at its last release_fence (releases.h), if there was any. */
void release_publish_fenced(const struct release_location *location);
/* An update with this stamp, which wrote `value`, is over; or it was none, because a
 * compare-and-swap found something else: then it is taken back. `all` if all updates of this actor
 * there are over. */
struct release_end {
    uint64_t stamp;
    bool updated, all;
    struct release_value value;
};
void release_executed(const struct release_location *location, const struct release_end *end);
/* Whether board i of a location says something else than when it was read last, for a fetch that
 * got a value with that mark; and that what it said may mean more the next time. */
bool release_is_news(const struct release_location *location, uint64_t i,
                     const unsigned char *bytes, size_t size, uint64_t value, bool locally);
void release_forget_reading(const struct release_location *location, uint64_t i, bool locally);
/* Whether this process has heard of nothing that came after the update was issued, which is over.
 */
bool release_is_unheard_of(const struct release_entry *entry);
/* For release_reading.quiet. Whatever else wrote there is ordered with both updates, or races with
 * one. So its process had heard of the first, and the second's of it: not if the second's had not
 * heard of the first; nor if both are of one process that heard of nobody in between and wrote
 * nothing else there itself. (What an exclusive lock keeps apart is not ordered by that:
 * release_buffers.alone.) */
bool release_is_quiet_between(const struct release_entry *first,
                              const struct release_entry *second);
/* The stamp with which that was done last. */
uint64_t release_last_stamp(void);

#endif
