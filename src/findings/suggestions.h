/* A line that would mend a finding, made of the arguments of the calls in question. */
#ifndef REGATTA_FINDINGS_SUGGESTIONS_H
#define REGATTA_FINDINGS_SUGGESTIONS_H

#include "finding.h"

struct suggestion {
    const char *file;
    unsigned line;    /* it would stand before this one */
    const char *text; /* indented as that line is */
};

/* False where no single line is known to mend it: other processes must do something, too, or the
 * source is not there. C and C++ only. */
bool suggestion_for(struct report *report, const struct finding *finding,
                    struct suggestion *suggestion);

#endif
