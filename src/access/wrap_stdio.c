/* Streams: blocks, lines and strings. Formatted input and output is in wrap_format.c. */
#include <stdio.h>

#include "wrap.h"

size_t REAL(strlen)(const char *s);
size_t REAL(fread)(void *to, size_t size, size_t n, FILE *file);
size_t REAL(fwrite)(const void *from, size_t size, size_t n, FILE *file);
char *REAL(fgets)(char *to, int n, FILE *file);
int REAL(fputs)(const char *s, FILE *file);
int REAL(puts)(const char *s);
ssize_t REAL(getline)(char **line, size_t *room, FILE *file);
ssize_t REAL(getdelim)(char **line, size_t *room, int end, FILE *file);

size_t WRAP(fread)(void *to, size_t size, size_t n, FILE *file)
{
    size_t items = REAL(fread)(to, size, n, file);
    STORES(to, items * size);
    return items;
}

size_t WRAP(fwrite)(const void *from, size_t size, size_t n, FILE *file)
{
    LOADS(from, size * n);
    return REAL(fwrite)(from, size, n, file);
}

char *WRAP(fgets)(char *to, int n, FILE *file)
{
    char *line = REAL(fgets)(to, n, file);
    if (line && access_is_watched())
        STORES(line, REAL(strlen)(line) + 1);
    return line;
}

int WRAP(fputs)(const char *s, FILE *file)
{
    if (access_is_watched())
        LOADS(s, REAL(strlen)(s) + 1);
    return REAL(fputs)(s, file);
}

int WRAP(puts)(const char *s)
{
    if (access_is_watched())
        LOADS(s, REAL(strlen)(s) + 1);
    return REAL(puts)(s);
}

ssize_t WRAP(getline)(char **line, size_t *room, FILE *file)
{
    ssize_t length = REAL(getline)(line, room, file);
    if (length >= 0)
        STORES(*line, (size_t)length + 1);
    return length;
}

ssize_t WRAP(getdelim)(char **line, size_t *room, int end, FILE *file)
{
    ssize_t length = REAL(getdelim)(line, room, end, file);
    if (length >= 0)
        STORES(*line, (size_t)length + 1);
    return length;
}

/* ---- with -D_FORTIFY_SOURCE ---- */

size_t REAL(__fread_chk)(void *to, size_t room, size_t size, size_t n, FILE *file);
char *REAL(__fgets_chk)(char *to, size_t room, int n, FILE *file);

size_t WRAP(__fread_chk)(void *to, size_t room, size_t size, size_t n, FILE *file)
{
    size_t items = REAL(__fread_chk)(to, room, size, n, file);
    STORES(to, items * size);
    return items;
}

char *WRAP(__fgets_chk)(char *to, size_t room, int n, FILE *file)
{
    char *line = REAL(__fgets_chk)(to, room, n, file);
    if (line && access_is_watched())
        STORES(line, REAL(strlen)(line) + 1);
    return line;
}
