#include "run_pages.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "findings/checked.h"

double pages_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- files ---- */

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && !strcmp(name + length - end, ending);
}

static bool is_known(const struct pages *pages, const char *name)
{
    for (size_t i = 0; i < pages->count; i++)
        if (!strcmp(pages->list[i].name, name))
            return true;
    return false;
}

static const struct page *map(const char *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *page = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size == (off_t)sizeof(struct page))
        page = mmap(NULL, sizeof(struct page), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page == MAP_FAILED)
        return NULL;
    const struct page *found = page;
    if (found->format == PAGE_FORMAT && found->size == sizeof *found && found->ranks > 0 &&
        found->rank >= 0 && found->rank < found->ranks)
        return found;
    munmap(page, sizeof *found); /* not ready yet, or of another version */
    return NULL;
}

static int by_rank(const void *a, const void *b)
{
    const struct watched_page *x = a, *y = b;
    return (x->live->rank > y->live->rank) - (x->live->rank < y->live->rank);
}

void pages_find(struct pages *pages)
{
    char host[sizeof((struct page *)0)->host] = "";
    DIR *directory = opendir(pages->directory);
    const struct dirent *entry;
    size_t before = pages->count;
    gethostname(host, sizeof host - 1);
    while (directory && (entry = readdir(directory))) {
        const struct page *page;
        if (!ends_in(entry->d_name, ".page") || is_known(pages, entry->d_name) ||
            !(page = map(pages->directory, entry->d_name)))
            continue;
        pages->list =
            checked_grow(pages->list, pages->count, &pages->capacity, sizeof *pages->list);
        struct watched_page *watched = &pages->list[pages->count++];
        memset(watched, 0, sizeof *watched);
        watched->name = checked_strdup(entry->d_name);
        watched->live = page;
        watched->alive = true;
        watched->is_here = !strncmp(page->host, host, sizeof host) && page->started &&
                           page_process_start(page->pid) == page->started;
    }
    if (directory)
        closedir(directory);
    if (pages->count > before)
        qsort(pages->list, pages->count, sizeof *pages->list, by_rank);
}

struct pages *pages_watch(const char *directory)
{
    struct pages *pages = checked_malloc(sizeof *pages);
    *pages = (struct pages){.directory = checked_strdup(directory)};
    return pages;
}

void pages_free(struct pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++) {
        munmap((void *)pages->list[i].live, sizeof(struct page));
        free(pages->list[i].kept);
        free(pages->list[i].name);
    }
    free(pages->list);
    free(pages->directory);
    free(pages);
}

/* ---- looking ---- */

static void look(struct watched_page *watched, double now)
{
    const struct page *page = watched->live;
    for (uint32_t i = 0; i < page->nplaces && i < PAGE_THREADS; i++) {
        const struct page_place *place = &page->places[i];
        uint32_t calls = place->calls, inside = place->inside;
        if (watched->seen[i].since > 0 && watched->seen[i].calls == calls &&
            watched->seen[i].inside == inside)
            continue;
        watched->seen[i].calls = calls;
        watched->seen[i].inside = inside;
        watched->seen[i].since = now;
    }
    if (watched->alive && watched->is_here && page_process_start(page->pid) != page->started) {
        watched->alive = false;
        if (page->state == PAGE_RUNNING)
            watched->gone_since = now;
    }
}

void pages_look(struct pages *pages)
{
    double now = pages_now();
    size_t expected = pages->count ? (size_t)pages->list[0].live->ranks : SIZE_MAX;
    if (pages->count < expected && now - pages->looked > 0.4) {
        pages->looked = now;
        pages_find(pages);
    }
    for (size_t i = 0; i < pages->count; i++)
        if (!pages->list[i].kept)
            look(&pages->list[i], now);
}

double page_place_age(const struct watched_page *watched, int place)
{
    double since = watched->seen[place].since;
    double now = watched->kept ? watched->kept_at : pages_now();
    return since > 0 ? now - since : 0;
}

/* ---- asking ---- */

/* Every thread of the process, also those that have never called MPI. */
static void ask(const struct page *page)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", page->pid);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        int thread = atoi(entry->d_name);
        if (thread > 0)
            syscall(SYS_tgkill, page->pid, thread, PAGE_SIGNAL);
    }
    if (directory)
        closedir(directory);
}

/* Whether the process has a handler for the signal: without one it would be ended by it. */
static bool takes_signal(int pid)
{
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    if (file)
        fclose(file);
    return caught >> (PAGE_SIGNAL - 1) & 1;
}

static bool has_answered(const struct watched_page *watched)
{
    const struct page *page = watched->live;
    for (uint32_t i = 0; i < page->nplaces && i < PAGE_THREADS; i++)
        if (page->places[i].calls && !page->places[i].depth)
            return false;
    return true;
}

/* Threads that have never called MPI have a place by now as well. */
static void keep_stacks(struct watched_page *watched)
{
    for (uint32_t i = 0; watched->kept && i < PAGE_THREADS; i++) {
        struct page_place *kept = &watched->kept->places[i];
        const struct page_place *asked = &watched->live->places[i];
        if (i >= watched->kept->nplaces && asked->depth)
            watched->kept->nplaces = i + 1;
        kept->tid = asked->tid;
        kept->depth = asked->depth;
        memcpy(kept->frames, asked->frames, sizeof kept->frames);
        memcpy(kept->script, asked->script, sizeof kept->script);
        kept->script[PAGE_SCRIPT - 1] = 0;
    }
}

void pages_ask(struct pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        const struct watched_page *watched = &pages->list[i];
        if (watched->is_here && watched->alive && watched->live->state == PAGE_RUNNING &&
            takes_signal(watched->live->pid))
            ask(watched->live);
    }
    /* A machine with many more processes than cores takes a while. */
    for (int round = 0; round < 20; round++) {
        size_t open = 0;
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
        for (size_t i = 0; i < pages->count; i++)
            open += pages->list[i].is_here && pages->list[i].alive &&
                    pages->list[i].live->state == PAGE_RUNNING && !has_answered(&pages->list[i]);
        if (!open)
            break;
    }
    for (size_t i = 0; i < pages->count; i++)
        keep_stacks(&pages->list[i]);
}

static int tasks_of(int pid)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

void pages_keep(struct pages *pages)
{
    for (size_t i = 0; i < pages->count; i++) {
        struct watched_page *watched = &pages->list[i];
        if (watched->kept)
            continue;
        watched->kept = checked_malloc(sizeof *watched->kept);
        watched->kept_at = pages_now();
        watched->tasks = watched->is_here ? tasks_of(watched->live->pid) : 0;
        memcpy(watched->kept, watched->live, sizeof *watched->kept);
    }
}

void pages_kill(struct pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        if (pages->list[i].is_here && pages->list[i].live->state == PAGE_RUNNING &&
            page_process_start(pages->list[i].live->pid) == pages->list[i].live->started)
            kill(pages->list[i].live->pid, SIGKILL);
}
