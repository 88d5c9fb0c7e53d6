#include "cache.h"

#include "grow.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <llvm/Config/llvm-config.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Bytes; emptied down to half of it when it is full. */
static const long long cache_limit = 4LL << 30;

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text(const char *format, ...)
{
    char *result;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        checked(NULL);
    va_end(arguments);
    return result;
}

static long long nanoseconds(struct timespec time)
{
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

long long cache_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return nanoseconds(time);
}

/* ---- the directory ---- */

static bool make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

struct kept_file {
    char *path;
    long long used, size;
};

static int by_use(const void *a, const void *b)
{
    const struct kept_file *one = a, *two = b;
    return (one->used > two->used) - (one->used < two->used);
}

static void make_room(const struct cache *cache)
{
    LIST(struct kept_file) files = {0};
    long long total = 0;
    DIR *directory = opendir(cache->directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        struct stat status;
        char *path = text("%s/%s", cache->directory, entry->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            total += status.st_size;
            APPEND(&files, (struct kept_file){path, nanoseconds(status.st_mtim), status.st_size});
        } else {
            free(path);
        }
    }
    if (directory)
        closedir(directory);
    bool full = total > cache_limit;
    if (full)
        qsort(files.items, files.count, sizeof *files.items, by_use);
    for EACH (file, &files) {
        if (full && total > cache_limit / 2 && unlink(file->path) == 0)
            total -= file->size;
        free(file->path);
    }
    DROP(&files);
}

void cache_open(struct cache *cache)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *cache = (struct cache){0};
    if (base && base[0] == '/')
        cache->directory = text("%s/regatta/check", base);
    else if (home && home[0] == '/')
        cache->directory = text("%s/.cache/regatta/check", home);
    if (cache->directory &&
        (!make_directories(cache->directory) || access(cache->directory, W_OK) != 0))
        cache_close(cache);
    if (cache->directory)
        make_room(cache);
}

void cache_close(struct cache *cache)
{
    free(cache->directory);
    cache->directory = NULL;
}

/* ---- entries ---- */

char *cache_key(char *const *words, size_t count, const char *directory)
{
    XXH3_state_t *state = checked(XXH3_createState());
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, LLVM_VERSION_STRING, sizeof LLVM_VERSION_STRING);
    char *here = directory ? NULL : getcwd(NULL, 0);
    const char *place = directory ? directory : here ? here : "";
    XXH3_128bits_update(state, place, strlen(place) + 1);
    for (size_t i = 0; i < count; i++)
        XXH3_128bits_update(state, words[i], strlen(words[i]) + 1);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(here);
    return text("%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

/* Disks fill up, machines lose power: bitcode is taken only if it is what was written. */
static unsigned long long contents_hash(const char *path)
{
    char piece[1 << 16];
    XXH3_state_t *state = checked(XXH3_createState());
    XXH3_64bits_reset(state);
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        XXH3_64bits_update(state, piece, got);
    if (file)
        fclose(file);
    unsigned long long hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

/* Whether every file named in the list is as it was, and the bitcode, too. */
static bool is_up_to_date(const char *list, const char *bitcode)
{
    FILE *file = fopen(list, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned long long hash;
    bool same = file && fscanf(file, "%llx ", &hash) == 1 && hash == contents_hash(bitcode);
    unsigned count = 0;
    while (same && getline(&line, &room, file) > 0) {
        long long size, time;
        int start = 0;
        struct stat status;
        line[strcspn(line, "\n")] = 0;
        same = sscanf(line, "%lld %lld %n", &size, &time, &start) == 2 && start > 0 &&
               stat(line + start, &status) == 0 && status.st_size == size &&
               nanoseconds(status.st_mtim) == time;
        count++;
    }
    free(line);
    if (file)
        fclose(file);
    return same && count > 0;
}

char *cache_find(const struct cache *cache, const char *key)
{
    if (!cache->directory)
        return NULL;
    char *list = text("%s/%s.deps", cache->directory, key);
    char *bitcode = text("%s/%s.bc", cache->directory, key);
    if (!is_up_to_date(list, bitcode)) {
        free(bitcode);
        bitcode = NULL;
    } else {
        utimensat(AT_FDCWD, bitcode, NULL, 0); /* used now */
        utimensat(AT_FDCWD, list, NULL, 0);
    }
    free(list);
    return bitcode;
}

/* Reads one name of a Makefile's rule; false at its end. */
static bool next_name(FILE *rule, char name[PATH_MAX])
{
    size_t length = 0;
    for (int c; (c = getc(rule)) != EOF;) {
        if (c == '\\') {
            c = getc(rule);
            if (c == '\n')
                c = ' ';
            else if (c != EOF && length + 1 < PATH_MAX) {
                name[length++] = (char)c;
                continue;
            }
        } else if (c == '$') {
            c = getc(rule); /* doubled */
        }
        if (c == ' ' || c == '\n' || c == EOF) {
            if (length)
                break;
            continue;
        }
        if (length + 1 < PATH_MAX)
            name[length++] = (char)c;
    }
    name[length] = 0;
    return length > 0;
}

static bool write_list(const char *list, const char *bitcode, const char *rule_file,
                       const char *directory, long long started)
{
    FILE *rule = fopen(rule_file, "r"), *out = rule ? fopen(list, "w") : NULL;
    char name[PATH_MAX];
    bool good = out && next_name(rule, name); /* the target, with its colon */
    char *here = directory ? NULL : getcwd(NULL, 0);
    if (good)
        fprintf(out, "%llx\n", contents_hash(bitcode));
    while (good && next_name(rule, name)) {
        struct stat status;
        char *path = name[0] == '/' ? text("%s", name)
                                    : text("%s/%s",
                                           directory ? directory
                                           : here    ? here
                                                     : ".",
                                           name);
        /* What has changed since the compiler was started may not be what it has read. */
        good = stat(path, &status) == 0 && nanoseconds(status.st_mtim) < started &&
               !strchr(path, '\n');
        if (good)
            fprintf(out, "%lld %lld %s\n", (long long)status.st_size, nanoseconds(status.st_mtim),
                    path);
        free(path);
    }
    free(here);
    if (rule)
        fclose(rule);
    return out && fclose(out) == 0 && good;
}

static bool copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    char piece[1 << 16];
    size_t got;
    bool good = out != NULL;
    while (good && (got = fread(piece, 1, sizeof piece, in)) > 0)
        good = fwrite(piece, 1, got, out) == got;
    good = good && !ferror(in);
    if (in)
        fclose(in);
    return out && fclose(out) == 0 && good;
}

void cache_keep(const struct cache *cache, const char *key, const char *bitcode, const char *rule,
                const char *directory, long long started)
{
    if (!cache->directory)
        return;
    char *list = text("%s/%s.deps", cache->directory, key);
    char *kept = text("%s/%s.bc", cache->directory, key);
    char *new_list = text("%s.%ld", list, (long)getpid());
    char *new_kept = text("%s.%ld", kept, (long)getpid());
    /* The list last: who finds it finds the bitcode that belongs to it. */
    unlink(list);
    bool good = write_list(new_list, bitcode, rule, directory, started) &&
                copy_file(bitcode, new_kept) && rename(new_kept, kept) == 0 &&
                rename(new_list, list) == 0;
    if (!good) {
        unlink(new_list);
        unlink(new_kept);
    }
    free(list);
    free(kept);
    free(new_list);
    free(new_kept);
}
