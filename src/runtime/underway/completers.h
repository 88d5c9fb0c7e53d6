/* Which call completes the RMA operations that are issued at a place: findings name it, if all of
 * them were completed by one and the same. Any doubt is for good: then nothing is named.
 *
 * About 12 instructions for an operation when it is over. All functions need the session's lock. */
#ifndef REGATTA_RUNTIME_COMPLETERS_H
#define REGATTA_RUNTIME_COMPLETERS_H

struct call;
struct operation;

/* The operation is over at its target by this call; NULL: by something that nobody would name. */
void completer_note(const struct operation *operation, const struct call *call);

/* At the end: adds the calls to the sites in the records. */
void completers_write(void);

#endif
