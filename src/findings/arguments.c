#include "arguments.h"
#include "checked.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void arguments_free(struct arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++)
        free(arguments->texts[i]);
    arguments->count = 0;
}

/* What stands behind "routine(", NULL if there is none. */
static const char *find_call(const char *text, const char *routine)
{
    size_t length = strlen(routine);
    for (const char *call = text; (call = strstr(call, routine)); call += length) {
        bool inside = call > text && (isalnum((unsigned char)call[-1]) || call[-1] == '_');
        if (!inside && call[length] == '(')
            return call + length + 1;
    }
    return NULL;
}

bool arguments_read(struct arguments *arguments, const char *statement, const char *routine)
{
    const char *start = find_call(statement, routine), *c = start;
    arguments->count = 0;
    if (!start || find_call(start, routine))
        return false;
    for (int depth = 0; *c && arguments->count < MOST_ARGUMENTS; c++) {
        if (strchr("([{", *c))
            depth++;
        bool ends = depth == 0 && (*c == ',' || *c == ')');
        if (ends) {
            arguments->texts[arguments->count++] = checked_printf("%.*s", (int)(c - start), start);
            start = c + 1;
            if (*c == ')')
                return true;
        }
        if (strchr(")]}", *c))
            depth--;
    }
    arguments_free(arguments);
    return false;
}
