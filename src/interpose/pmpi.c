#include "pmpi.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct pmpi pmpi;
struct handles handles;

/* Finds a symbol in an MPI library that was loaded privately, where RTLD_NEXT does not see it. */
struct search {
    const char *name;
    void *found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    const char *base = strrchr(info->dlpi_name, '/');
    base = base ? base + 1 : info->dlpi_name;
    if (strncmp(base, "libmpi", 6) != 0)
        return 0;
    void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return 0;
    search->found = dlsym(library, search->name);
    dlclose(library); /* drops only the reference that RTLD_NOLOAD added */
    return search->found != NULL;
}

static void *find(void *where, const char *name)
{
    struct search search = {name, dlsym(where, name)};
    if (!search.found)
        dl_iterate_phdr(look_into, &search);
    return search.found;
}

void *pmpi_symbol(const char *name)
{
    return find(RTLD_NEXT, name);
}

void *pmpi_variable(const char *name)
{
    return find(RTLD_DEFAULT, name);
}

#ifdef OPEN_MPI
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)pmpi_variable(#global))
#endif

static void resolve(void)
{
#define ENTRY(symbol, member) pmpi.member = (__typeof__(pmpi.member))pmpi_symbol(#symbol);
    PMPI_ENTRIES(ENTRY)
#undef ENTRY
    handles.comm_world = MPI_COMM_WORLD;
    handles.comm_self = MPI_COMM_SELF;
    handles.comm_null = MPI_COMM_NULL;
    handles.request_null = MPI_REQUEST_NULL;
    handles.datatype_null = MPI_DATATYPE_NULL;
    handles.group_null = MPI_GROUP_NULL;
    handles.win_null = MPI_WIN_NULL;
    handles.no_op = MPI_NO_OP;
    handles.replace = MPI_REPLACE;
    handles.min = MPI_MIN;
    handles.sum = MPI_SUM;
    handles.max = MPI_MAX;
    handles.band = MPI_BAND;
    handles.bor = MPI_BOR;
    handles.bxor = MPI_BXOR;
    handles.info_null = MPI_INFO_NULL;
    handles.byte = MPI_BYTE;
    handles.packed = MPI_PACKED;
    handles.integer = MPI_INT;
    const MPI_Datatype with_sign[] = {MPI_INT,     MPI_LONG, MPI_LONG_LONG, MPI_INT32_T,
                                      MPI_INT64_T, MPI_AINT, MPI_COUNT,     MPI_INTEGER};
    const MPI_Datatype without[] = {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
                                    MPI_UINT32_T, MPI_UINT64_T};
    memcpy(handles.signed_integers, with_sign, sizeof with_sign);
    memcpy(handles.unsigned_integers, without, sizeof without);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of whoever resolves */
static atomic_bool resolved;

bool pmpi_resolve(void)
{
    if (!atomic_load_explicit(&resolved, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load_explicit(&resolved, memory_order_relaxed)) {
            resolve();
            atomic_store_explicit(&resolved, pmpi.Init != NULL, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return pmpi.Init != NULL;
}
