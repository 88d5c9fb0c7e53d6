#include "library_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct symbols symbols_read(const char *path)
{
    struct symbols symbols = {0};
    FILE *input = fopen(path, "r");
    if (!input) {
        perror(path);
        exit(1);
    }
    char line[512];
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\n")] = 0;
        symbols.names = realloc(symbols.names, (symbols.n + 1) * sizeof *symbols.names);
        char *name = strdup(line);
        if (!symbols.names || !name)
            exit(1);
        symbols.names[symbols.n++] = name;
    }
    fclose(input);
    qsort(symbols.names, symbols.n, sizeof *symbols.names, by_string);
    return symbols;
}

bool symbols_have(const struct symbols *symbols, const char *name)
{
    return bsearch(&name, symbols->names, symbols->n, sizeof *symbols->names, by_string) != NULL;
}
