#include "module.h"

#include <dlfcn.h>

const unsigned char *access_flags;
const struct access_hooks *access_hooks;
__thread struct access_run *access_runs;

void access_tell(const void *address, size_t bytes, enum hook_kind kind, const void *caller,
                 const void *frame)
{
    access_runs = access_hooks->access(address, bytes, kind, caller, frame);
}

/* Early, because constructors of the program may already start MPI: by __tsan_init, which gcc and clang call in front
 * of them (tsan_other.c), and here, for modules whose objects have no checks. The runtime is loaded by
 * LD_PRELOAD, so it is in the global scope and initialised before us. No weak reference instead of dlsym: the
 * linker may resolve that to NULL when it makes an executable. */
__attribute__((constructor(101))) void access_attach(void)
{
    static bool asked;
    if (asked)
        return;
    asked = true;
    regatta_access_attach_function *attach;
    *(void **)&attach = dlsym(RTLD_DEFAULT, "regatta_access_attach");
    const struct access_hooks *hooks = attach ? attach(ACCESS_VERSION) : NULL;
    if (!hooks)
        return;
    access_hooks = hooks;
    __atomic_store_n(&access_flags, hooks->flags, __ATOMIC_RELEASE);
}
