/* Sites: places in the program as the records name them. Each is written once, when it is first
 * needed by a finding or before its number is handed to another process, which can then name it in
 * findings of its own even if this process is gone by then. Readers put the two together
 * (src/findings/README.md), so that no stack travels between processes.
 *
 * Needs the layer's lock. */
#ifndef REGATTA_INTERPOSE_SITE_RECORDS_H
#define REGATTA_INTERPOSE_SITE_RECORDS_H

#include <stdint.h>

struct routine;
struct stack;

/* The number of a stack; 0 for NULL. Its address, so below 2^48 and unique in the process. */
uint64_t site_recorded(const struct stack *stack);

/* The same for a site that has a number of its own. */
void site_record(uint64_t site, const struct stack *stack);

/* The number of a stack where MPI is called, with what a finding in another process has to know of
 * the call: `at` is the one that stands there, `made_by` the one that made the operation. The two
 * differ for persistent operations. About 20 ns once it is written. */
uint64_t site_recorded_call(const struct stack *stack, const struct routine *at,
                            const struct routine *made_by);

/* What frees the buffers of an operation that this routine made, in the words of the records; NULL
 * if the call itself is all. */
const char *routine_until(const struct routine *made_by);

#endif
