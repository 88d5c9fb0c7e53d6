#include "checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
    if (!memory) {
        fputs("regatta: out of memory\n", stderr);
        exit(70);
    }
    return memory;
}

void *checked_malloc(size_t bytes)
{
    return checked(malloc(bytes ? bytes : 1));
}

void *checked_realloc(void *old, size_t bytes)
{
    return checked(realloc(old, bytes ? bytes : 1));
}

char *checked_strdup(const char *text)
{
    return checked(strdup(text));
}

char *checked_printf(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return checked(text);
}

void *checked_grow(void *array, size_t used, size_t *capacity, size_t element)
{
    if (used < *capacity)
        return array;
    *capacity = *capacity ? *capacity * 2 : 8;
    return checked_realloc(array, *capacity * element);
}
