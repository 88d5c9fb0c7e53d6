/* Do the engines and the oracle say the same about a trace? */
#ifndef REGATTA_SIM_COMPARE_H
#define REGATTA_SIM_COMPARE_H

#include "drive.h"
#include "oracle.h"

enum agreement {
    AGREE,
    ENGINE_INVENTED, /* a finding that is no race: the worst */
    ENGINE_MISSED,
    ENGINE_WRONG_DETAIL, /* the right pair with wrong bytes, owner, thread, operation or type */
    ENGINE_REFUSED,      /* a batch or clock of its own making */
};

/* Says what differs on `out`, if given. */
enum agreement compare(const struct trace *trace, const struct oracle_result *oracle,
                       const struct drive_result *driven, FILE *out);

#endif
