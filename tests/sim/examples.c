#include "examples.h"

#include <stdlib.h>
#include <string.h>

const char *const access_names[ACCESS_KINDS] = {
    "load",        "store",          "get",          "put",
    "accumulate",  "get_accumulate", "fetch_and_op", "compare_and_swap",
    "buffer_read", "buffer_write",
};
const char *const race_rule_names[RACE_RULES] = {"remote",     "atomicity", "shared", "thread",
                                                 "unattached", "no-store",  "no-put", "overlap"};

char *examples_load(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file || getdelim(&text, &size, '\0', file) < 0) {
        perror(path);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

static int name_index(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(name, list[i]))
            return i;
    fprintf(stderr, "no such name: %s\n", name);
    exit(2);
}

static void parse_race(const char *line, struct oracle_result *expected)
{
    char rule[32], kinds[2][32];
    unsigned ranks[2], sites[2];
    struct oracle_race race;
    if (sscanf(line, "%*s %31s %31[a-z_]@%u:%u %31[a-z_]@%u:%u", rule, kinds[0], &ranks[0],
               &sites[0], kinds[1], &ranks[1], &sites[1]) != 7) {
        fprintf(stderr, "not understood: %.*s\n", (int)strcspn(line, "\n"), line);
        exit(2);
    }
    memset(&race, 0, sizeof race);
    race.rule = (enum race_rule)name_index(rule, race_rule_names, RACE_RULES);
    for (int i = 0; i < 2; i++) {
        race.sides[i].kind = (enum access_kind)name_index(kinds[i], access_names, ACCESS_KINDS);
        race.sides[i].rank = ranks[i];
        race.sides[i].site = sites[i];
    }
    TRACE_ADD(expected->races, expected->count, expected->capacity, race);
}

bool examples_next(const char **text, struct example *example)
{
    const char *line = *text;
    memset(example, 0, sizeof *example);
    while (*line && strncmp(line, "example ", 8))
        line = next_line(line);
    if (!*line)
        return false;
    snprintf(example->title, sizeof example->title, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
    line = next_line(line);
    for (; !strncmp(line, "race ", 5); line = next_line(line)) {
        parse_race(line, &example->expected);
        parse_race(line, &example->possible);
    }
    for (; !strncmp(line, "maybe ", 6); line = next_line(line))
        parse_race(line, &example->possible);
    if (!program_parse(&example->program, line, text)) {
        fprintf(stderr, "in example: %s\n", example->title);
        exit(2);
    }
    return true;
}

void example_clear(struct example *example)
{
    oracle_clear(&example->expected);
    oracle_clear(&example->possible);
    program_clear(&example->program);
}

void races_print_side(FILE *file, const struct access_side *side)
{
    fprintf(file, "%s@%u:%llu", access_names[side->kind], side->rank,
            (unsigned long long)side->site);
}

void examples_print_races(const struct oracle_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        printf("  race %s ", race_rule_names[result->races[i].rule]);
        races_print_side(stdout, &result->races[i].sides[0]);
        printf(" ");
        races_print_side(stdout, &result->races[i].sides[1]);
        printf("\n");
    }
}
