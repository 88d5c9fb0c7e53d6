/* A growing argument vector. */
#ifndef REGATTA_CLI_WORDS_H
#define REGATTA_CLI_WORDS_H

#include "findings/checked.h"

struct words {
    char **list; /* ends with NULL once a word was added */
    size_t count, capacity;
};

/* Takes the text over. */
static inline void words_add(struct words *words, char *text)
{
    words->list = checked_grow(words->list, words->count + 1, &words->capacity, sizeof(char *));
    words->list[words->count++] = text;
    words->list[words->count] = NULL;
}

static inline void words_add_copy(struct words *words, const char *text)
{
    words_add(words, checked_strdup(text));
}

#endif
