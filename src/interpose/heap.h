/* What the heap of the runtime knows of its own limits (heap.c). Memory is short once an allocation
 * has failed: from then on something is missing somewhere, and nothing that depends on it may be
 * reported. At the cap nothing has failed yet.
 *
 * Whoever cannot do without memory insists (engine/alloc.h, engine/table.h): it comes out of a
 * reserve that was laid by, so that the event under way can be finished. */
#ifndef REGATTA_INTERPOSE_HEAP_H
#define REGATTA_INTERPOSE_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Lays the reserve by. Before that, and if there is no memory for it, insisting may be in vain. */
void heap_prepare(void);

/* From how many bytes on heap_is_at_cap (0: never). A quarter above it allocations fail. */
void heap_set_cap(size_t bytes);
/* Memory of ours that is not from this heap and counts towards the cap. */
void heap_count_elsewhere(size_t bytes);
/* All that is held from the system, used or not. */
size_t heap_held(void);

extern atomic_bool heap_shortage, heap_over_cap;
static inline bool heap_is_short(void)
{
    return atomic_load_explicit(&heap_shortage, memory_order_relaxed);
}
static inline bool heap_is_at_cap(void)
{
    return atomic_load_explicit(&heap_over_cap, memory_order_relaxed);
}
/* Memory that does not come from here failed: a mapping. */
void heap_note_shortage(void);
/* Something was done about it: the next memory that is taken from the system above the cap is told
 * again. */
void heap_mind_cap(void);
/* How far above the cap it may be told again before something else has to be done. */
size_t heap_room_above_cap(void);
/* What can be done at the cap has been done: it is told no more. What was freed is used again
 * before more is taken from the system; if that does not last, allocations fail. */
void heap_pass_cap(void);

/* For tests: counts allocations from now on, allocation `number` fails (0: none); how many there
 * have been since. Without it none is counted. */
void heap_count(long number);
long heap_allocations(void);

#endif
