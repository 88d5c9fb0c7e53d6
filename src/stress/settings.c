#include "settings.h"

#include <stdlib.h>
#include <string.h>

struct settings settings = {
#define SETTING(name, value, most) .name = value,
#include "settings.def"
#undef SETTING
};

static const struct {
    const char *name;
    long *value;
} table[] = {
#define SETTING(name, value, most) {#name, &settings.name},
#include "settings.def"
#undef SETTING
};

static uint32_t *only;
static size_t only_count;
static bool only_some;

static void only_read(void)
{
    const char *next = getenv("REGATTA_STRESS_ONLY");
    only_some = next != NULL;
    for (; next && *next; next += strspn(next, ",")) {
        char *end;
        uint32_t site = (uint32_t)strtoul(next, &end, 16);
        uint32_t *larger = realloc(only, (only_count + 1) * sizeof *only);
        if (end == next || !larger)
            return;
        only = larger;
        only[only_count++] = site;
        next = end;
    }
}

void settings_read(void)
{
    const char *next = getenv("REGATTA_STRESS");
    while (next && *next) {
        size_t length = strcspn(next, ":"), name = strcspn(next, "=:");
        for (size_t i = 0; name < length && i < sizeof table / sizeof table[0]; i++)
            if (strlen(table[i].name) == name && memcmp(table[i].name, next, name) == 0)
                *table[i].value = strtol(next + name + 1, NULL, 10);
        next += length + (next[length] == ':');
    }
    only_read();
}

bool settings_perturb(uint32_t site)
{
    for (size_t i = 0; i < only_count; i++)
        if (only[i] == site)
            return true;
    return !only_some;
}
