#include "causes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A place of a rule, and in how many findings it is. */
struct culprit {
    char *key;
    size_t findings;
    const char *cause;
    UT_hash_handle hh;
};

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

/* What is missing is told by the operation (of one MPI_Startall there may be several) and its
 * epoch, and by the case, whose words speak for all findings of one cause. */
static char *key_of(struct report *report, const struct finding *finding, const struct access *side)
{
    const struct frame *place = access_frame(side);
    return place ? checked_printf(
                       "%s\n%s\n%s\n%s\n%s\n%s", finding->rule, or_nothing(finding->case_id),
                       frame_place(report, place), or_nothing(side->epoch),
                       or_nothing(side->call ? side->call : side->kind), or_nothing(side->made_by))
                 : NULL;
}

static struct culprit *find(struct culprit **all, const char *key)
{
    struct culprit *culprit;
    HASH_FIND_STR(*all, key, culprit);
    if (culprit)
        return culprit;
    culprit = checked_malloc(sizeof *culprit);
    *culprit = (struct culprit){.key = checked_strdup(key)};
    HASH_ADD_KEYPTR(hh, *all, culprit->key, strlen(culprit->key), culprit);
    return culprit;
}

/* Whether MPI has yet to complete it: that is what is missing. */
static bool is_under_way(const struct access *side)
{
    return side->until || (side->epoch && strcmp(side->epoch, "none"));
}

const struct access *finding_blamed(const struct finding *finding)
{
    return finding->blames_second ? &finding->second : &finding->first;
}

void causes_find(struct report *report)
{
    struct culprit *all = NULL, *culprit, *next;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        const struct access *sides[2] = {&finding->first, &finding->second};
        for (int s = 0; s < 2; s++) {
            char *key = sides[s]->present ? key_of(report, finding, sides[s]) : NULL;
            if (key)
                find(&all, key)->findings++;
            free(key);
        }
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        struct finding *finding = &report->findings[i];
        char *first = key_of(report, finding, &finding->first);
        char *second = finding->second.present ? key_of(report, finding, &finding->second) : NULL;
        size_t of_first = first ? find(&all, first)->findings : 0;
        size_t of_second = second ? find(&all, second)->findings : 0;
        finding->blames_second =
            of_second > of_first || (of_second == of_first && !is_under_way(&finding->first) &&
                                     is_under_way(&finding->second));
        const char *blamed = finding->blames_second ? second : first;
        culprit = blamed ? find(&all, blamed) : NULL;
        if (culprit && !culprit->cause)
            culprit->cause = report_text(report, finding->id);
        finding->cause = culprit ? culprit->cause : report_text(report, finding->id);
        free(first);
        free(second);
    }
    HASH_ITER(hh, all, culprit, next)
    {
        HASH_DEL(all, culprit);
        free(culprit->key);
        free(culprit);
    }
}

size_t causes_count(const struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        count += !report->findings[i].cause ||
                 !strcmp(report->findings[i].cause, report->findings[i].id);
    return count;
}
