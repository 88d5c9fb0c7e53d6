/* Arrays that are members of something larger: an index stays inside its array (C11 6.5.6), so
 * `s->first[i]` is never a byte of the member behind it, however little is known about i. */
#ifndef REGATTA_ANALYZE_MEMBERS_H
#define REGATTA_ANALYZE_MEMBERS_H

#include <llvm-c/Core.h>

#include <stdint.h>

enum { MEMBER_INDICES = 3 };

/* An index that is at least 0 and below the limit. */
struct member_index {
    LLVMValueRef index;
    int64_t limit;
};

/* Those on the way to an address, as far as its type tells; returns how many. */
unsigned member_indices(LLVMValueRef address, struct member_index indices[MEMBER_INDICES]);

#endif
