#include "gomp.h"
#include "findings/checked.h"

#include <fcntl.h>
#include <gelf.h>
#include <glob.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char install[] = "libomp is not installed: apt-get install libomp-19-dev";

/* Offered by libomp for its own compiler, but not as gcc's code needs it. */
static const struct {
    const char *name, *why;
} different[] = {
    {"omp_fulfill_event", "libomp does not detach tasks of gcc"},
};

/* Where Debian and others put it; the last match of the first pattern that has any. */
char *gomp_find_libomp(void)
{
    static const char *const places[] = {"/usr/lib/llvm-*/lib/libomp.so.5",
                                         "/usr/lib/*-linux-gnu/libomp.so.5", "/usr/lib64/libomp.so",
                                         "/usr/local/lib/libomp.so"};
    char *path = NULL;
    for (size_t i = 0; !path && i < sizeof places / sizeof *places; i++) {
        glob_t found;
        if (glob(places[i], 0, NULL, &found) == 0)
            path = checked_strdup(found.gl_pathv[found.gl_pathc - 1]);
        globfree(&found);
    }
    return path;
}

/* ---- symbols of OpenMP ---- */

struct names {
    char **list;
    size_t count, capacity;
};

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_openmp(const char *name)
{
    static const char *const prefixes[] = {"GOMP_", "GOACC_", "omp_", "acc_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static void add_names(struct names *names, Elf *elf, Elf_Scn *section, GElf_Shdr *header,
                      bool defined)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || (symbol.st_shndx != SHN_UNDEF) != defined)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (!name || !is_openmp(name))
            continue;
        if (names->count == names->capacity) {
            names->capacity = 2 * names->capacity + 64;
            names->list = checked_realloc(names->list, names->capacity * sizeof *names->list);
        }
        names->list[names->count++] = checked_printf("%.*s", (int)strcspn(name, "@"), name);
    }
}

/* OpenMP's functions that a file offers (`defined`), or needs. */
static struct names names_of(const char *path, bool defined)
{
    struct names names = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM && header.sh_entsize)
            add_names(&names, elf, section, &header, defined);
    }
    elf_end(elf);
    if (file >= 0)
        close(file);
    if (names.count)
        qsort(names.list, names.count, sizeof *names.list, compare_names);
    return names;
}

static bool has_gomp(const struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strncmp(names->list[i], "GOMP_", 5))
            return true;
    return false;
}

/* Why libomp cannot stand in for this file's sake; NULL: it can. */
static char *objection(const char *path, const struct names *offered)
{
    struct names needed = names_of(path, false);
    char *why = NULL;
    bool by_gcc = has_gomp(&needed);
    for (size_t i = 0; i < needed.count && !why; i++) {
        char **name = &needed.list[i];
        if (!bsearch(name, offered->list, offered->count, sizeof *name, compare_names))
            why = checked_printf("libomp has no %s", *name);
        for (size_t d = 0; by_gcc && !why && d < sizeof different / sizeof *different; d++)
            if (!strcmp(*name, different[d].name))
                why = checked_strdup(different[d].why);
    }
    names_free(&needed);
    return why;
}

/* The path in a line of ld.so's list; NULL if it has none. */
static char *path_in(const char *line)
{
    const char *arrow = strstr(line, " => /"), *end = strchr(line, '\n');
    if (!arrow || (end && arrow > end))
        return NULL;
    return checked_printf("%.*s", (int)strcspn(arrow + 4, " \n"), arrow + 4);
}

static bool is_runtime(const char *path)
{
    return strstr(path, "/libgomp.so") || strstr(path, "/libomp.so") ||
           strstr(path, "/libiomp5.so");
}

struct gomp gomp_inspect(const char *program, const char *libraries)
{
    struct gomp gomp = {.is_used = strstr(libraries, "libgomp.so") != NULL};
    if (!gomp.is_used)
        return gomp;
    char *libomp = gomp_find_libomp();
    if (!libomp) {
        gomp.why = checked_strdup(install);
        return gomp;
    }
    struct names offered = names_of(libomp, true);
    gomp.why = objection(program, &offered);
    for (const char *line = libraries; *line && !gomp.why;
         line += strcspn(line, "\n"), line += *line == '\n') {
        char *path = path_in(line);
        if (path && !is_runtime(path))
            gomp.why = objection(path, &offered);
        free(path);
    }
    names_free(&offered);
    if (gomp.why)
        free(libomp);
    else
        gomp.stand_in = libomp;
    return gomp;
}
