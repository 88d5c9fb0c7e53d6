/* One request in two calls that complete or start requests (MPI-4.0 section 11.6.2). */
#ifndef REGATTA_RUNTIME_REQUEST_RULE_H
#define REGATTA_RUNTIME_REQUEST_RULE_H

#include "encounters.h"

struct call;

bool request_rule_applies(const struct call *call);
/* Before a call, with the session's lock and the rules': the operations behind the requests are
 * known to the one, who had them before to the other. */
void request_check(struct hearing *hearing, const struct call *call);
/* After a call that made a request: whoever had this handle before, it is another one now. With the
 * rules' lock. */
void request_made(const struct call *call);
/* After the call, before anything else is done about its requests; with the rules' lock. */
void request_over(const struct call *call);

#endif
