/* Functions that users declare to be wrappers of MPI routines: places in findings are then those of
 * their callers, as if the wrapper were the routine itself. A file with one name per line; * and ?
 * stand for any characters, # starts a comment. */
#ifndef REGATTA_ANALYZE_WRAPPERS_H
#define REGATTA_ANALYZE_WRAPPERS_H

#include "grow.h"

#include "findings/finding.h"

struct wrappers {
    LIST(char *) patterns;
};

/* False, with errno, if the file cannot be read. */
bool wrappers_read(struct wrappers *wrappers, const char *path);
void wrappers_free(struct wrappers *wrappers);

/* Takes the frames of wrappers off the inner end of a stack; one frame always stays. */
void wrappers_strip(const struct wrappers *wrappers, struct stack *stack);

#endif
