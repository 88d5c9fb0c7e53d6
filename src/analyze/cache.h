/* Bitcode of sources compiled in earlier runs, so that after an edit only what depends on it is
 * compiled again.
 *
 * An entry is two files: KEY.bc, and KEY.deps with its hash and the size and time of every file
 * that the compiler read. The key is a hash of the compiler's arguments and working directory.
 * KEY.found is what was found in a program (results.h).
 * Changing a header makes the entry invalid, it is replaced in the next run; what has not been used
 * for long goes first when the cache grows too large. */
#ifndef REGATTA_ANALYZE_CACHE_H
#define REGATTA_ANALYZE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct cache {
    char *directory; /* NULL: there is none, nothing is kept */
};

/* $XDG_CACHE_HOME/regatta/check or ~/.cache/regatta/check. */
void cache_open(struct cache *cache);
void cache_close(struct cache *cache);

/* Strings returned are the caller's. */
char *cache_key(char *const *words, size_t count, const char *directory);
/* The path of valid bitcode, or NULL. */
char *cache_find(const struct cache *cache, const char *key);
/* Keeps a copy. `rule`: the file in which the compiler wrote what it has read, as a Makefile;
 * `started`: when. */
void cache_keep(const struct cache *cache, const char *key, const char *bitcode, const char *rule,
                const char *directory, long long started);

/* Nanoseconds, comparable with the times of files. */
long long cache_now(void);

#endif
