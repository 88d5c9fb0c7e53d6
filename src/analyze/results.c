#include "results.h"

#include "findings/views.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- keys ---- */

static void hash_text(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void hash_file(XXH3_state_t *state, const char *path)
{
    char piece[1 << 16];
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        XXH3_128bits_update(state, piece, got);
    if (file)
        fclose(file);
    hash_text(state, file ? "end" : "missing");
}

/* A library, or this program itself (without a name), as it is on the disk. */
static int hash_library(struct dl_phdr_info *library, size_t size, void *state)
{
    struct stat status = {0};
    const char *path = library->dlpi_name[0] ? library->dlpi_name : "/proc/self/exe";
    (void)size;
    if (stat(path, &status) == 0) {
        const long long facts[] = {(long long)status.st_ino, (long long)status.st_size,
                                   (long long)status.st_mtim.tv_sec,
                                   (long long)status.st_mtim.tv_nsec};
        hash_text(state, path);
        XXH3_128bits_update(state, facts, sizeof facts);
    }
    return 0;
}

char *results_key(const struct cache *cache, const struct wrappers *wrappers,
                  const struct unit *const *units, size_t count)
{
    if (!cache->directory)
        return NULL;
    XXH3_state_t *state = checked(XXH3_createState());
    XXH3_128bits_reset(state);
    dl_iterate_phdr(hash_library, state);
    char *here = getcwd(NULL, 0), *key;
    hash_text(state, here);
    for EACH (pattern, &wrappers->patterns)
        hash_text(state, *pattern);
    for (size_t i = 0; i < count; i++) {
        hash_text(state, units[i]->file);
        hash_text(state, units[i]->is_bitcode ? "bitcode" : units[i]->is_fortran ? "fortran" : "");
        hash_file(state, units[i]->bitcode);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(here);
    if (asprintf(&key, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64) < 0)
        checked(NULL);
    return key;
}

/* ---- one description for both directions ---- */

struct transfer {
    FILE *file;
    bool writing, good;
    struct report *report;
};

static void bytes(struct transfer *transfer, void *data, size_t size)
{
    size_t done = !transfer->good     ? 0
                  : transfer->writing ? fwrite(data, 1, size, transfer->file)
                                      : fread(data, 1, size, transfer->file);
    if (done != size) {
        transfer->good = false;
        memset(data, 0, size);
    }
}

#define NUMBER(member)                                                                             \
    do {                                                                                           \
        int64_t number_ = (int64_t)(member);                                                       \
        bytes(transfer, &number_, sizeof number_);                                                 \
        (member) = (__typeof__(member))number_;                                                    \
    } while (0)

static void text(struct transfer *transfer, const char **member)
{
    size_t length = transfer->writing && *member ? strlen(*member) + 1 : 0;
    NUMBER(length);
    if (transfer->writing) {
        bytes(transfer, (void *)(length ? *member : ""), length);
        return;
    }
    char *copy = length && length < INT_MAX ? checked(calloc(1, length + 1)) : NULL;
    if (copy)
        bytes(transfer, copy, length);
    *member = report_text(transfer->report, copy);
    free(copy);
}

/* The room for so many items, in the report's memory when reading. */
static void *items(struct transfer *transfer, void *known, size_t *count, size_t size)
{
    enum { MOST = 1 << 20 }; /* nothing has so many: the file is damaged */
    NUMBER(*count);
    if (transfer->writing)
        return known;
    if (*count > MOST) {
        transfer->good = false;
        *count = 0;
    }
    void *room = obstack_alloc(&transfer->report->texts, (*count + 1) * size);
    memset(room, 0, (*count + 1) * size);
    return room;
}

static void frame(struct transfer *transfer, struct frame *frame)
{
    text(transfer, &frame->file);
    text(transfer, &frame->function);
    NUMBER(frame->line);
    NUMBER(frame->column);
}

static void stack(struct transfer *transfer, struct stack *stack)
{
    stack->frames = items(transfer, stack->frames, &stack->depth, sizeof *stack->frames);
    for (size_t i = 0; i < stack->depth; i++)
        frame(transfer, &stack->frames[i]);
}

static void access_side(struct transfer *transfer, struct access *side)
{
    const char **const texts[] = {&side->completed_by, &side->kind,     &side->call,
                                  &side->detail,       &side->variable, &side->made_by,
                                  &side->deed,         &side->epoch,    &side->until,
                                  &side->state,        &side->construct};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        text(transfer, texts[i]);
    NUMBER(side->present);
    NUMBER(side->rank);
    NUMBER(side->thread);
    NUMBER(side->bytes);
    NUMBER(side->has_range);
    NUMBER(side->low);
    NUMBER(side->high);
    NUMBER(side->target);
    stack(transfer, &side->stack);
    frame(transfer, &side->completed_at);
}

static void memory_of(struct transfer *transfer, struct memory *memory)
{
    NUMBER(memory->present);
    text(transfer, &memory->side);
    text(transfer, &memory->window);
    NUMBER(memory->rank);
    NUMBER(memory->offset);
    NUMBER(memory->bytes);
    text(transfer, &memory->created_by);
    stack(transfer, &memory->created);
}

static void facts(struct transfer *transfer, struct finding *finding)
{
    size_t count = 0;
    for (const struct fact *fact = finding->facts; fact; fact = fact->next)
        count++;
    NUMBER(count);
    struct fact *fact = finding->facts;
    for (size_t i = 0; i < count && transfer->good; i++) {
        const char *name = transfer->writing ? fact->name : NULL;
        const char *value = transfer->writing ? fact->value : NULL;
        text(transfer, &name);
        text(transfer, &value);
        if (transfer->writing)
            fact = fact->next;
        else if (name)
            finding_add_fact(transfer->report, finding, name, value);
    }
}

static void path(struct transfer *transfer, struct finding *finding)
{
    bool has = finding->path;
    NUMBER(has);
    if (!has)
        return;
    if (!transfer->writing) {
        finding->path = obstack_alloc(&transfer->report->texts, sizeof *finding->path);
        *finding->path = (struct path){0};
    }
    struct path *way = finding->path;
    way->steps = items(transfer, way->steps, &way->count, sizeof *way->steps);
    for (size_t i = 0; i < way->count; i++) {
        text(transfer, &way->steps[i].kind);
        text(transfer, &way->steps[i].text);
        frame(transfer, &way->steps[i].place);
    }
}

static void pairs(struct transfer *transfer, struct finding *finding)
{
    size_t count = finding->pair_count;
    NUMBER(count);
    for (size_t i = 0; i < count && transfer->good; i++) {
        struct rank_pair pair = {0};
        if (transfer->writing)
            pair = finding->pairs[i];
        NUMBER(pair.first);
        NUMBER(pair.second);
        if (!transfer->writing)
            finding_add_pair(finding, pair);
    }
}

/* Everything that `check` can know of a finding before the report is settled. */
_Static_assert(sizeof(struct finding) == 624, "a new member of a finding must be kept as well");

static void finding_of(struct transfer *transfer, struct finding *finding)
{
    text(transfer, &finding->rule);
    text(transfer, &finding->case_id);
    NUMBER(finding->severity);
    NUMBER(finding->found_by);
    text(transfer, &finding->message);
    text(transfer, &finding->why);
    text(transfer, &finding->fix);
    NUMBER(finding->count);
    NUMBER(finding->generation);
    access_side(transfer, &finding->first);
    access_side(transfer, &finding->second);
    memory_of(transfer, &finding->memory);
    facts(transfer, finding);
    path(transfer, finding);
    pairs(transfer, finding);
}

static void numbers_of(struct transfer *transfer, struct analysis *numbers)
{
    NUMBER(numbers->functions);
    NUMBER(numbers->instructions);
    NUMBER(numbers->bodies);
    for (int i = 0; i < GAP_COUNT; i++) {
        NUMBER(numbers->gaps.kinds[i].count);
        NUMBER(numbers->gaps.kinds[i].most);
        text(transfer, &numbers->gaps.kinds[i].where);
        text(transfer, &numbers->gaps.kinds[i].why);
    }
}

/* ---- files: a hash, and what it is the hash of ---- */

static char *file_of(const struct cache *cache, const char *key, const char *more)
{
    char *name;
    if (asprintf(&name, "%s/%s.found%s", cache->directory, key, more) < 0)
        checked(NULL);
    return name;
}

static char *read_checked(const char *path, size_t *length)
{
    struct stat status;
    XXH64_hash_t hash = 0;
    FILE *file = fopen(path, "rb");
    size_t size = file && fstat(fileno(file), &status) == 0 ? (size_t)status.st_size : 0;
    char *data = NULL;
    if (size > sizeof hash && fread(&hash, sizeof hash, 1, file) == 1) {
        *length = size - sizeof hash;
        data = checked(malloc(*length));
        if (fread(data, 1, *length, file) != *length || XXH3_64bits(data, *length) != hash) {
            free(data);
            data = NULL;
        }
    }
    if (file)
        fclose(file);
    return data;
}

bool results_take(const struct cache *cache, const char *key, struct report *report,
                  struct analysis *numbers)
{
    if (!key)
        return false;
    size_t length, count = 0, before = report->finding_count;
    struct analysis untouched = *numbers;
    char *name = file_of(cache, key, ""), *data = read_checked(name, &length);
    bool good = data;
    if (data) {
        struct transfer reading = {fmemopen(data, length, "rb"), false, true, report};
        struct transfer *transfer = &reading;
        checked(reading.file);
        numbers_of(transfer, numbers);
        NUMBER(count);
        for (size_t i = 0; i < count && reading.good; i++)
            finding_of(transfer, report_add(report));
        fclose(reading.file);
        utimensat(AT_FDCWD, name, NULL, 0); /* used now */
        numbers->programs = numbers->from_cache = 1;
        good = reading.good;
        free(data);
    }
    if (!good) {
        report->finding_count = before;
        *numbers = untouched;
    }
    free(name);
    return good;
}

void results_keep(const struct cache *cache, const char *key, struct report *report, size_t first,
                  struct analysis *numbers)
{
    if (!key || numbers->late)
        return;
    char *data = NULL, *name = file_of(cache, key, ""), *draft;
    size_t length = 0, count = report->finding_count - first;
    struct transfer writing = {checked(open_memstream(&data, &length)), true, true, report};
    struct transfer *transfer = &writing;
    numbers_of(transfer, numbers);
    NUMBER(count);
    for (size_t i = 0; i < count; i++)
        finding_of(transfer, &report->findings[first + i]);
    bool good = fclose(writing.file) == 0 && writing.good;
    if (asprintf(&draft, "%s.%ld", name, (long)getpid()) < 0)
        checked(NULL);
    XXH64_hash_t hash = good ? XXH3_64bits(data, length) : 0;
    FILE *file = good ? fopen(draft, "wb") : NULL;
    good =
        file && fwrite(&hash, sizeof hash, 1, file) == 1 && fwrite(data, 1, length, file) == length;
    good = file && fclose(file) == 0 && good;
    if (!good || rename(draft, name) != 0)
        unlink(draft);
    free(draft);
    free(name);
    free(data);
}
