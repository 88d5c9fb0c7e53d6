#include "schedules.h"
#include "findings/checked.h"
#include "stress/random.h"

#include <stdlib.h>
#include <string.h>

#define SETTING(name, value, most)
#include "stress/settings.def"
#undef SETTING

static const struct {
    const char *name;
    long most;
} settings[] = {
#define SETTING(name, value, most) {#name, most},
#include "stress/settings.def"
#undef SETTING
};

enum { AS_IS, RANDOM, REVERSE, PUT_FIRST, GET_FIRST }; /* ORDER_WORDS */
enum { NONE, ELEMENT, BYTE };                          /* SPLIT_WORDS */
enum { TOGETHER, ASCENDING, DESCENDING };              /* STAGGER_WORDS */
enum { ALIKE, MAIN, OTHERS };                          /* THREADS_WORDS */

#define SET(name) [SETTING_##name]
#define MESSAGES SET(poison) = 1, SET(synchronous) = 1, SET(wildcards) = 1

/* One weakness of programs each; the first ones show the most. */
static const struct schedule table[] = {
    {"late", {SET(defer) = 1, SET(local_completion) = 1, SET(poison) = 1, SET(late_tests) = 1}},
    {"reverse",
     {SET(defer) = 1, SET(local_completion) = 1, SET(order) = REVERSE, SET(add_flush) = 1,
      SET(latency) = 5000, MESSAGES}},
    {"eager", {SET(add_flush) = 1, SET(wildcards) = 1}},
    {"ascending", {SET(add_flush) = 1, SET(stagger) = ASCENDING}},
    {"descending", {SET(add_flush) = 1, SET(stagger) = DESCENDING}},
    {"get-first",
     {SET(defer) = 1, SET(order) = GET_FIRST, SET(add_flush) = 1, SET(stagger) = DESCENDING,
      MESSAGES, SET(late_tests) = 1}},
    {"put-first",
     {SET(defer) = 1, SET(order) = PUT_FIRST, SET(add_flush) = 1, SET(stagger) = ASCENDING,
      MESSAGES}},
    {"synchronous", {SET(synchronous) = 1}},
    {"elements",
     {SET(defer) = 1, SET(order) = RANDOM, SET(split) = ELEMENT, SET(add_flush) = 1,
      SET(poison) = 1}},
    {"slow",
     {SET(defer) = 1, SET(order) = RANDOM, SET(latency) = 3000, SET(wildcards) = 1,
      SET(late_tests) = 1}},
    {"bytes",
     {SET(defer) = 1, SET(local_completion) = 1, SET(order) = RANDOM, SET(split) = BYTE, MESSAGES}},
    {"main-late", {SET(threads) = MAIN}},
    {"others-late", {SET(threads) = OTHERS}},
};

enum { STRATEGIES = sizeof table / sizeof table[0] };

int schedule_strategies(void)
{
    return STRATEGIES;
}

char *schedule_names(const char *separator)
{
    char *names = checked_strdup(table[0].strategy);
    for (int i = 1; i < STRATEGIES; i++) {
        char *longer = checked_printf("%s%s%s", names, separator, table[i].strategy);
        free(names);
        names = longer;
    }
    return names;
}

bool schedule_named(const char *name, struct schedule *schedule)
{
    for (int i = 0; i < STRATEGIES; i++) {
        if (strcmp(table[i].strategy, name))
            continue;
        *schedule = table[i];
        schedule->values[SETTING_fingerprints] = 1;
        return true;
    }
    return false;
}

struct schedule schedule_baseline(void)
{
    return (struct schedule){.values = {SET(fingerprints) = 1}};
}

struct schedule schedule_of_options(void)
{
    return (struct schedule){.values = {SET(defer) = 1, SET(local_completion) = 1,
                                        SET(order) = RANDOM, SET(fingerprints) = 1}};
}

static struct schedule draw(int seed)
{
    struct schedule schedule = {.strategy = "random"};
    uint64_t state = (uint64_t)seed;
    for (int i = 0; i < SETTING_COUNT; i++)
        schedule.values[i] = (long)random_below(&state, (uint64_t)settings[i].most + 1);
    schedule.values[SETTING_defer] = random_below(&state, 4) > 0;
    schedule.values[SETTING_latency] = random_below(&state, 3) ? 0 : 1000;
    schedule.values[SETTING_stagger] =
        random_below(&state, 2) ? TOGETHER : 1 + (long)random_below(&state, 2);
    schedule.values[SETTING_threads] =
        random_below(&state, 2) ? ALIKE : 1 + (long)random_below(&state, 2);
    schedule.values[SETTING_fingerprints] = 1;
    return schedule;
}

struct schedule schedule_number(int i, int seed)
{
    struct schedule schedule;
    if (i < STRATEGIES) {
        schedule = table[i];
        schedule.values[SETTING_fingerprints] = 1;
    } else {
        schedule = draw(seed + i);
    }
    schedule.values[SETTING_seed] = seed + i;
    return schedule;
}

char *schedule_setting(const struct schedule *schedule)
{
    char *text = checked_strdup("");
    for (int i = 0; i < SETTING_COUNT; i++) {
        char *longer =
            checked_printf("%s%s%s=%ld", text, i ? ":" : "", settings[i].name, schedule->values[i]);
        free(text);
        text = longer;
    }
    return text;
}

long schedule_word(const char *words, const char *word)
{
    long number = 0;
    size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, '|'), number++) {
        at += *at == '|';
        if (strcspn(at, "|") == length && !strncmp(at, word, length))
            return number;
    }
    return -1;
}

static char *word_number(const char *words, long number)
{
    while (number-- > 0 && strchr(words, '|'))
        words = strchr(words, '|') + 1;
    return checked_printf("%.*s", (int)strcspn(words, "|"), words);
}

char *schedule_options(const struct schedule *schedule)
{
    static const struct {
        enum setting setting;
        const char *on, *off;
    } flags[] = {
        {SETTING_defer, "", " --no-defer"},
        {SETTING_local_completion, "", " --no-local-completion"},
        {SETTING_add_flush, " --add-flush", ""},
        {SETTING_poison, " --poison", ""},
        {SETTING_synchronous, " --synchronous-sends", ""},
        {SETTING_wildcards, " --wildcards", ""},
        {SETTING_late_tests, " --late-tests", ""},
    };
    long seed = schedule->values[SETTING_seed];
    struct schedule named;
    if (schedule->strategy && schedule_named(schedule->strategy, &named))
        return checked_printf("--strategy %s --seed %ld --runs 1", schedule->strategy, seed);
    char *order = word_number(ORDER_WORDS, schedule->values[SETTING_order]);
    char *split = word_number(SPLIT_WORDS, schedule->values[SETTING_split]);
    char *text = checked_printf("--seed %ld --runs 1 --order %s --split %s", seed, order, split);
    free(order);
    free(split);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        char *longer = checked_printf(
            "%s%s", text, schedule->values[flags[i].setting] ? flags[i].on : flags[i].off);
        free(text);
        text = longer;
    }
    if (schedule->values[SETTING_stagger]) {
        char *stagger = word_number(STAGGER_WORDS, schedule->values[SETTING_stagger]);
        char *longer = checked_printf("%s --stagger %s", text, stagger);
        free(stagger);
        free(text);
        text = longer;
    }
    if (schedule->values[SETTING_threads]) {
        char *threads = word_number(THREADS_WORDS, schedule->values[SETTING_threads]);
        char *longer = checked_printf("%s --threads %s", text, threads);
        free(threads);
        free(text);
        text = longer;
    }
    if (schedule->values[SETTING_latency]) {
        char *longer = checked_printf("%s --latency %ld", text, schedule->values[SETTING_latency]);
        free(text);
        text = longer;
    }
    return text;
}
