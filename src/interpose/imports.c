#include "imports.h"

#include <link.h>
#include <string.h>
#include <strings.h>

#include "mpi/routine.h"

/* A module's table of dynamic symbols. Nothing says how many there are: the names follow behind
 * them, as all linkers have it. */
struct table {
    const ElfW(Sym) * symbols;
    const char *names;
    size_t count, bytes; /* of the names */
};

/* Addresses are the loader's, not the file's, where it has relocated them. */
static const void *address_in(const struct dl_phdr_info *info, ElfW(Addr) value)
{
    return (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static struct table table_of(const struct dl_phdr_info *info)
{
    struct table table = {0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_SYMTAB)
                table.symbols = address_in(info, entry->d_un.d_ptr);
            else if (entry->d_tag == DT_STRTAB)
                table.names = address_in(info, entry->d_un.d_ptr);
            else if (entry->d_tag == DT_STRSZ)
                table.bytes = entry->d_un.d_val;
        }
    }
    if (table.symbols && (const char *)table.symbols < table.names)
        table.count = (size_t)(table.names - (const char *)table.symbols) / sizeof *table.symbols;
    return table;
}

/* Whether it matters that this one is not seen: not what only asks. */
static bool is_watched(const char *name)
{
    const struct routine *routine = routine_by_name(name);
    return routine && routine->object != OBJECT_question;
}

/* In C, or under one of the names that Fortran has for it. */
static bool begins_like(const char *name, const char *const *routines)
{
    const char *rest = name + (*name == 'P' || *name == 'p');
    if (strncasecmp(rest, "mpi_", 4) != 0)
        return false;
    for (; *routines; routines++)
        if (strncasecmp(rest + 4, *routines, strlen(*routines)) == 0)
            return true;
    return false;
}

static const char *const fetches[] = {"fetch_and_op", "get_accumulate", "rget_accumulate",
                                      "compare_and_swap", NULL};
static const char *const local_flushes[] = {"win_flush_local", NULL};
static const char *const shared_queries[] = {"win_shared_query", NULL};

static void read_name(struct imports *imports, const char *name)
{
    imports->fetches = imports->fetches || begins_like(name, fetches);
    imports->flushes_locally = imports->flushes_locally || begins_like(name, local_flushes);
    imports->shares_memory = imports->shares_memory || begins_like(name, shared_queries);
    if (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "mpi_", 4) == 0)
        imports->mpi = true;
    else if (strncmp(name, "PMPI_", 5) == 0 && is_watched(name + 1))
        imports->pmpi = name;
}

struct visit {
    imports_reader *read;
    void *context;
};

/* MPI's own, "mca_…" being what Open MPI loads of itself. */
static bool is_not_the_programs(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    return strncmp(base, "libmpi", 6) == 0 || strncmp(base, "libregatta", 10) == 0 ||
           strncmp(base, "linux-vdso", 10) == 0 || strncmp(base, "libopen-", 8) == 0 ||
           strncmp(base, "mca_", 4) == 0;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    const struct visit *visit = context;
    struct imports imports = {.name = info->dlpi_name, .bias = info->dlpi_addr};
    if (is_not_the_programs(info->dlpi_name))
        return 0;
    struct table table = table_of(info);
    for (size_t i = 1; i < table.count; i++)
        if (table.symbols[i].st_shndx == SHN_UNDEF && table.symbols[i].st_name < table.bytes)
            read_name(&imports, table.names + table.symbols[i].st_name);
    visit->read(visit->context, &imports);
    return 0;
}

void imports_visit(imports_reader *read, void *context)
{
    struct visit visit = {read, context};
    dl_iterate_phdr(visit_module, &visit);
}

static int take_loads(struct dl_phdr_info *info, size_t size, void *loads)
{
    (void)size;
    *(unsigned *)loads = (unsigned)info->dlpi_adds;
    return 1;
}

unsigned imports_loads(void)
{
    unsigned loads = 0;
    dl_iterate_phdr(take_loads, &loads);
    return loads;
}
