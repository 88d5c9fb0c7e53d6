#include "wrappers.h"

#include <fnmatch.h>

bool wrappers_read(struct wrappers *wrappers, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!file)
        return false;
    while (getline(&line, &room, file) >= 0) {
        line[strcspn(line, "#\r\n")] = 0;
        char *rest, *name = strtok_r(line, " \t", &rest);
        if (name)
            APPEND(&wrappers->patterns, checked(strdup(name)));
    }
    free(line);
    fclose(file);
    return true;
}

void wrappers_free(struct wrappers *wrappers)
{
    for EACH (pattern, &wrappers->patterns)
        free(*pattern);
    DROP(&wrappers->patterns);
}

static bool is_wrapper(const struct wrappers *wrappers, const char *function)
{
    for EACH (pattern, &wrappers->patterns)
        if (function && fnmatch(*pattern, function, 0) == 0)
            return true;
    return false;
}

void wrappers_strip(const struct wrappers *wrappers, struct stack *stack)
{
    while (stack->depth > 1 && is_wrapper(wrappers, stack->frames[0].function)) {
        stack->frames++;
        stack->depth--;
    }
}
