#include "regatta_options.h"

#include <stdlib.h>
#include <string.h>

struct options options = {
#define OPTION(name, type, value, help) .name = value,
#include "regatta_options.def"
#undef OPTION
};

static const struct {
    const char *name;
    long *value;
} table[] = {
#define OPTION(name, type, value, help) {#name, &options.name},
#include "regatta_options.def"
#undef OPTION
};

static long value_of(const char *text)
{
    if (strncmp(text, "yes", 3) == 0 || strncmp(text, "true", 4) == 0)
        return 1;
    return strtol(text, NULL, 10); /* "no" and "false" are 0 */
}

void options_read(void)
{
    const char *next = getenv("REGATTA_OPTIONS");
    while (next && *next) {
        size_t length = strcspn(next, ":"), name = strcspn(next, "=:");
        for (size_t i = 0; name < length && i < sizeof table / sizeof table[0]; i++)
            if (strlen(table[i].name) == name && memcmp(table[i].name, next, name) == 0)
                *table[i].value = value_of(next + name + 1);
        next += length + (next[length] == ':');
    }
}
