#include "rules.h"

#include <fnmatch.h>
#include <string.h>

const struct rule rules[] = {
#define RULE(id, severity, title, explanation, example, fix)                                       \
    {id, severity, title, explanation, example, fix},
#include "rules.def"
#undef RULE
};

const size_t rule_count = sizeof rules / sizeof rules[0];

static const struct {
    const char *rule, *picture;
} pictures[] = {
#define PICTURE(rule, picture) {rule, picture},
#include "pictures.def"
#undef PICTURE
};

const char *rule_picture(const char *id)
{
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (!strcmp(pictures[i].rule, id))
            return pictures[i].picture;
    return NULL;
}

size_t rule_rank(const char *id)
{
    size_t i = 0;
    while (i < rule_count && strcmp(rules[i].id, id))
        i++;
    return i;
}

bool rule_fits_some(const char *pattern)
{
    for (size_t i = 0; i < rule_count; i++)
        if (fnmatch(pattern, rules[i].id, 0) == 0)
            return true;
    return false;
}

const struct rule *rule_find(const char *id)
{
    size_t rank = rule_rank(id);
    return rank < rule_count ? &rules[rank] : NULL;
}
