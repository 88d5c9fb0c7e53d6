#include "runtime_options.h"
#include "cli.h"
#include "findings/checked.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { BOOL, NUMBER };

static const struct {
    const char *name;
    enum type type;
    long otherwise;
    const char *help;
} table[] = {
#define OPTION(name, type, otherwise, help) {#name, type, otherwise, help},
#include "interpose/regatta_options.def"
#undef OPTION
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

static bool is_valid(enum type type, const char *value, size_t length)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true"};
    if (type == NUMBER) {
        size_t digits = strspn(value, "0123456789");
        return length > 0 && length < 10 && digits >= length;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && !strncmp(words[i], value, length))
            return true;
    return false;
}

static void check_one(const char *entry, size_t length)
{
    size_t name = strcspn(entry, "=:");
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strlen(table[i].name) != name || strncmp(table[i].name, entry, name))
            continue;
        if (name >= length || !is_valid(table[i].type, entry + name + 1, length - name - 1))
            fail(EXIT_USAGE, "REGATTA_OPTIONS: %s needs %s, as in %s=%ld", table[i].name,
                 table[i].type == BOOL ? "0 or 1" : "a number", table[i].name, table[i].otherwise);
        return;
    }
    fail(EXIT_USAGE, "REGATTA_OPTIONS: unknown option '%.*s'; see regatta env --help", (int)name,
         entry);
}

void runtime_options_check(void)
{
    const char *entry = getenv("REGATTA_OPTIONS");
    while (entry && *entry) {
        size_t length = strcspn(entry, ":");
        if (length)
            check_one(entry, length);
        entry += length + (entry[length] == ':');
    }
}

void runtime_options_add(const char *setting)
{
    const char *others = getenv("REGATTA_OPTIONS");
    char *all = others && *others ? checked_printf("%s:%s", others, setting)
                                  : checked_printf("%s", setting);
    setenv("REGATTA_OPTIONS", all, 1);
    free(all);
}

void runtime_options_show(void)
{
    puts("REGATTA_OPTIONS=\"key=value:key=value\" takes:");
    for (int i = 0; i < OPTION_COUNT; i++) {
        char setting[40];
        snprintf(setting, sizeof setting, "%s=%ld", table[i].name, table[i].otherwise);
        printf("  %-28s %s\n", setting, table[i].help);
    }
}
