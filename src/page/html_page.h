/* A report as a page for the browser. */
#ifndef REGATTA_PAGE_HTML_PAGE_H
#define REGATTA_PAGE_HTML_PAGE_H

#include "findings/finding.h"

#include <stdio.h>

/* One HTML file with everything in it. False on a write error. */
bool page_write(struct report *report, FILE *out);

#endif
