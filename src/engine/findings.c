#include <stdlib.h>
#include <string.h>
#include "internal.h"

static struct access_side side_of(const struct access *access)
{
    return (struct access_side){access->kind,
                                access->rank,
                                access->thread,
                                access->op,
                                access->type,
                                access->site,
                                (enum epoch_kind)access->epoch};
}

void findings_add(struct engine *engine, enum race_rule rule, const struct access *first,
                  const struct access *second, window_t window, const struct section *common)
{
    struct finding_key key;
    memset(&key, 0, sizeof key);
    key.rule = rule;
    key.first_kind = first->kind;
    key.second_kind = second->kind;
    key.first_rank = first->rank;
    key.second_rank = second->rank;
    key.first_site = first->site;
    key.second_site = second->site;
    struct finding_entry *entry;
    HASH_FIND(hh, engine->findings, &key, sizeof key, entry);
    if (entry) {
        entry->finding.count++;
        return;
    }
    entry = allocate_zeroed(1, sizeof *entry);
    entry->key = key;
    entry->finding = (struct finding){
        rule, side_of(first), side_of(second), engine->config.rank, window, *common, 1};
    HASH_ADD(hh, engine->findings, key, sizeof entry->key, entry);
    if (engine->config.report)
        engine->config.report(engine->config.context, &entry->finding);
}

void engine_findings(const struct engine *engine, engine_finding_visitor *visit, void *context)
{
    struct finding_entry *entry, *next;
    HASH_ITER(hh, engine->findings, entry, next)
    {
        if (!visit(context, &entry->finding))
            return;
    }
}

void findings_clear(struct engine *engine)
{
    struct finding_entry *entry, *next;
    HASH_ITER(hh, engine->findings, entry, next)
    {
        HASH_DEL(engine->findings, entry);
        free(entry);
    }
}
