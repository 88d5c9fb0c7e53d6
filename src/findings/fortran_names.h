/* Names of Fortran procedures as their source has them: compilers keep them in small letters, and
 * those of modules with more around them. */
#ifndef REGATTA_FINDINGS_FORTRAN_NAMES_H
#define REGATTA_FINDINGS_FORTRAN_NAMES_H

#include "finding.h"

/* The name of the frame's function, as it is if the frame is not in Fortran. */
const char *fortran_name(struct report *report, const struct frame *frame);

#endif
