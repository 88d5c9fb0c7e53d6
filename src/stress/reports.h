/* What the layer finds out by itself, as records. */
#ifndef REGATTA_STRESS_REPORTS_H
#define REGATTA_STRESS_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/routine.h"

struct site;

/* The program stored into a buffer that the operation from this site still used: one that MPI reads
 * (`origin`) or one that MPI writes. Once per site. */
void report_changed(struct site *site, const struct routine *routine, bool origin, uint64_t bytes);

#endif
