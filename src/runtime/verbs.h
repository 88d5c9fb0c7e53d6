/* What each verb of calls.def means to the detector: one row of handlers per verb, all that is done
 * for a call beyond the way that every call goes (dispatch.c). */
#ifndef REGATTA_RUNTIME_VERBS_H
#define REGATTA_RUNTIME_VERBS_H

#include "watched_call.h"

typedef void call_handler(struct call *call);

struct verb_meaning {
    /* With the session's lock. NULL: nothing is done. */
    call_handler *before, *succeeded, *failed;
    /* Whether a process may have learnt by the call what others did. NULL: it has not. */
    bool (*tells_of_others)(const struct call *call);
    /* Whether a status is needed that the program may ignore. NULL: it is not. */
    bool (*wants_status)(const struct call *call);
};

extern const struct verb_meaning verb_meanings[VERB_KINDS];

static inline const struct verb_meaning *meaning_of(const struct call *call)
{
    return &verb_meanings[call->routine->verb];
}

/* Where packed bytes lie is known afterwards. */
static inline bool is_pack(const struct call *call)
{
    return call->routine->object == OBJECT_pack || call->routine->object == OBJECT_unpack;
}

#endif
