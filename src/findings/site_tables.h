/* The places that one process wrote into its records (README.md), by the numbers that findings name
 * them with. */
#ifndef REGATTA_FINDINGS_SITE_TABLES_H
#define REGATTA_FINDINGS_SITE_TABLES_H

#include "finding.h"
#include "symbols.h"

struct site {
    struct stack stack;
    /* Of calls: the routine there, the one that made the operation, the kind of access that its
     * buffer is when MPI reads or writes it, and what frees the buffer. NULL: unknown, or none. */
    const char *call, *made_by, *reads_as, *writes_as, *until;
    /* Of RMA operations: the routine that completed all that were issued there, and its site. */
    const char *completed_by;
    int64_t completed_at;
};

struct site_table;

/* What the file has by now. Texts and stacks live in the report. An unreadable file has no sites.
 */
struct site_table *site_table_read(struct report *report, const char *path,
                                   struct symbols *symbols);
void site_table_free(struct site_table *table);

/* NULL if there is no such site, or no table. Source lines are looked up when it is first asked
 * for. */
const struct site *site_table_find(struct site_table *table, int64_t id);

#endif
