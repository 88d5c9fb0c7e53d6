#include "options.h"
#include "cli.h"
#include "findings/checked.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_help(const struct command *command)
{
    printf("usage: regatta %s %s\n\n%s\n\n", command->name, command->usage, command->about);
    for (int t = 0; t < 2 && command->tables[t]; t++) {
        for (const struct option *option = command->tables[t]; option->name; option++) {
            if (!option->help)
                continue;
            char spelling[64];
            snprintf(spelling, sizeof spelling, "%s%s%s", option->name, option->value ? " " : "",
                     option->value ? option->value : "");
            printf("  %-28s %s\n", spelling, option->help);
        }
    }
    printf("  %-28s %s\n", "--help", "this text");
    if (command->more)
        printf("\n%s\n", command->more);
}

/* For scripts/make-pages: all of them, also other spellings. */
static void list_options(const struct command *command)
{
    for (int t = 0; t < 2 && command->tables[t]; t++)
        for (const struct option *option = command->tables[t]; option->name; option++)
            printf("%s|%s|%s\n", option->name, option->value ? option->value : "",
                   option->help ? option->help : "");
    puts("--help||this text");
}

/* Finds `--name`, `--name=value`, `-n` and `-n4`; a value after '=' or the number is left in
 * `value`. */
static const struct option *find(const struct command *command, const char *argument,
                                 const char **value)
{
    for (int t = 0; t < 2 && command->tables[t]; t++) {
        for (const struct option *option = command->tables[t]; option->name; option++) {
            size_t length = strlen(option->name);
            if (strncmp(argument, option->name, length))
                continue;
            *value =
                argument[length] == '=' && option->name[1] == '-' ? argument + length + 1 : NULL;
            if (option->kind == OPTION_NUMBER && option->name[1] != '-' &&
                argument[length] >= '0' && argument[length] <= '9')
                *value = argument + length;
            if (*value || !argument[length])
                return option;
        }
    }
    return NULL;
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *word = choices; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (strcspn(word, "|") == length && !strncmp(word, value, length))
            return true;
    }
    return false;
}

static void add_to_list(const char **list, const char *value)
{
    *list = *list ? checked_printf("%s,%s", *list, value) : value;
}

static void set(const struct command *command, const struct option *option, const char *value)
{
    char *end;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case OPTION_PAIR:
    case OPTION_TEXT:
        if (!*value)
            fail(EXIT_USAGE, "%s: %s needs a value: %s", command->name, option->name,
                 option->value);
        *(const char **)option->target = value;
        break;
    case OPTION_LIST:
        if (!*value)
            fail(EXIT_USAGE, "%s: %s needs a value: %s", command->name, option->name,
                 option->value);
        add_to_list(option->target, value);
        break;
    case OPTION_NUMBER:
        errno = 0;
        long number = strtol(value, &end, 10);
        if (end == value || *end || errno || number < option->least || number > option->most)
            fail(EXIT_USAGE, "%s: %s needs a number from %d to %d, not '%s'", command->name,
                 option->name, option->least, option->most, value);
        *(int *)option->target = (int)number;
        break;
    case OPTION_CHOICE:
        if (!is_choice(option->choices, value))
            fail(EXIT_USAGE, "%s: %s is one of %s, not '%s'", command->name, option->name,
                 option->choices, value);
        *(const char **)option->target = value;
        break;
    }
}

int options_parse(const struct command *command, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        if (!strcmp(argv[i], "--"))
            return i + 1;
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            show_help(command);
            exit(0);
        }
        if (!strcmp(argv[i], "--list-options")) {
            list_options(command);
            exit(0);
        }
        const char *value;
        const struct option *option = find(command, argv[i], &value);
        if (!option)
            fail(EXIT_USAGE, "%s: unknown option '%s'; see regatta %s --help", command->name,
                 argv[i], command->name);
        if (option->kind == OPTION_FLAG && value)
            fail(EXIT_USAGE, "%s: %s takes no value", command->name, option->name);
        if (option->kind != OPTION_FLAG && !value) {
            if (i + 1 >= argc)
                fail(EXIT_USAGE, "%s: %s needs a value: %s", command->name, option->name,
                     option->value);
            value = argv[++i];
        }
        set(command, option, value);
        if (option->kind == OPTION_PAIR) {
            if (i + 1 >= argc)
                fail(EXIT_USAGE, "%s: %s needs two values: %s", command->name, option->name,
                     option->value);
            ((const char **)option->target)[1] = argv[++i];
        }
    }
    return i;
}

void options_gather(const struct command *command, int argc, char **argv)
{
    int front = 1;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0;) {
        const char *value = NULL;
        const struct option *option = argv[i][0] == '-' ? find(command, argv[i], &value) : NULL;
        int words = argv[i][0] != '-' || !argv[i][1]                  ? 0
                    : !option || option->kind == OPTION_FLAG || value ? 1
                    : option->kind == OPTION_PAIR                     ? 3
                                                                      : 2;
        i += words == 0;
        for (; words > 0 && i < argc; words--, i++, front++) {
            char *word = argv[i];
            memmove(&argv[front + 1], &argv[front], (size_t)(i - front) * sizeof *argv);
            argv[front] = word;
        }
    }
}
