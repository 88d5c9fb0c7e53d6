/* Two moments of one execution of a function: `then`, when an operation was started, and `now`,
 * some steps later. What numbers mean at either moment, and whether bytes named at one are bytes
 * named at the other.
 *
 * That something cannot be is proved (proof.h). That it can be is shown by example: numbers the
 * function cannot know (arguments, loaded values …) are drawn, ranks and sizes enumerated,
 * iteration counters drawn so that they fit the loops that were gone round in between (draws.h).
 * That it always is so needs both: an example, and a proof that on the same path, by the same rank
 * in the same iterations, no other input makes a difference. A race needs one rank and one
 * iteration, but must not need luck in the input. */
#ifndef REGATTA_ANALYZE_MOMENTS_H
#define REGATTA_ANALYZE_MOMENTS_H

#include "events.h"

enum side { THEN, NOW };

/* Something that is known to hold: value == number, or != if negated. */
struct condition {
    LLVMValueRef value;
    int64_t number;
    bool negated;
    enum side side;
    bool sure;  /* the branch's other sides all end the program: whoever comes on has met it */
    bool asked; /* it is known not to be in contradiction to those that came before it */
};
typedef LIST(struct condition) condition_list;

struct moments {
    struct function *function;
    unsigned then_block, now_block;
    uint32_t distance; /* 2 bits per loop depth: times round, 0, 1, 2 = two or more */
    const struct condition *conditions;
    size_t nconditions;
    /* The moments of two processes, not of one: ranks differ, and only loops in which all
     * processes wait for each other are at the same iteration. By loop; NULL: one process. */
    const bool *aligned;
};

static inline unsigned distance_at(uint32_t distance, int depth)
{
    return depth < 1 || depth > 16 ? 0 : distance >> 2 * (depth - 1) & 3;
}

enum answer { NEVER, SOMETIMES, ALWAYS };

/* With which numbers something is so: who does the first and the second, among how many. */
struct example {
    int ranks[2];
    int processes;
};

/* Whether all conditions can hold together. Undecided: neither an example nor a proof was found. */
enum possible { IMPOSSIBLE, UNDECIDED, POSSIBLE };
enum possible moments_possible(const struct moments *moments);
/* The same, if all conditions that have been asked for can: only what the others, and (if loops
 * were gone round since) the rounds, have to do with is looked at. */
enum possible moments_still_possible(const struct moments *moments, bool other_rounds);

/* Moments between which the same things are known have the same number. */
uint64_t moments_number(const struct moments *moments);
/* True the first time that a number comes: for questions that need no second answer. */
bool asked_first(struct function *function, uint64_t number);
bool was_asked(const struct function *function, uint64_t number);

/* Whether the bytes of a buffer, named then, share one with those of a buffer named now. The
 * example becomes one in which they do. */
enum answer buffers_overlap(const struct moments *moments, const struct event *then_event,
                            const struct buffer *then_buffer, const struct event *now_event,
                            const struct buffer *now_buffer, struct example *example);

/* Whether the slot named then is among those named now (`count` of them, NULL: one). */
enum answer slot_among(const struct moments *moments, LLVMValueRef then_slot,
                       LLVMValueRef now_slots, LLVMValueRef count);

/* The index of the slot named then in the array named now, if it is always the same. */
bool slot_index(const struct moments *moments, LLVMValueRef then_slot, LLVMValueRef now_slots,
                int64_t *index);

/* Whether two values (ranks) are equal. */
enum answer values_equal(const struct moments *moments, LLVMValueRef then_value,
                         LLVMValueRef now_value);

/* Access to the window of a target rank: an RMA operation, or a load or store by the target. */
struct remote_access {
    const struct event *event;
    const struct buffer *buffer; /* load or store: its bytes; NULL: an RMA operation */
    LLVMValueRef base;           /* address of the window's memory; NULL: buffer starts from it */
    LLVMValueRef unit;           /* disp_unit */
    struct layout target_type;
};

/* Whether two accesses hit the same bytes of the same rank's window. `proved`: they do so whatever
 * the input is, with the fewest processes that the program can be run with. */
enum answer remote_overlap(const struct moments *moments, const struct remote_access *then_access,
                           const struct remote_access *now_access, struct example *example,
                           bool *proved);

/* Whether a condition is about elements of an array that a loop runs through: what stands in them
 * nobody knows here. */
bool condition_is_about_elements(struct function *function, LLVMValueRef value);

/* Conditions that hold whenever the block runs: the branches that lead to it, in the order in which
 * they are met. False if there were too many: the first ones are left out. */
bool block_conditions(struct function *function, unsigned block, enum side side,
                      condition_list *conditions);
/* The condition that holds on an edge, if its end is a branch or a switch. */
void edge_conditions(struct function *function, LLVMValueRef terminator, unsigned successor,
                     enum side side, condition_list *conditions);

#endif
