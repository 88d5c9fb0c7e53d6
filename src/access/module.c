#include "module.h"

#include <dlfcn.h>

/* `regatta cc` defines it where it has no plug-in for the compiler. */
extern const char regatta_access_no_plugin __attribute__((weak));

const unsigned char *access_flags;
const struct access_hooks *access_hooks;

struct access_window access_latest;

static const unsigned char nothing_flagged;
const unsigned char *access_threads = &nothing_flagged;
const unsigned char *__regatta_flags = &nothing_flagged;
uint64_t __regatta_page_mask;

/* Early, because constructors of the program may already start MPI: by __tsan_init, which gcc and
 * clang call in front of them (tsan_other.c), and here, for modules whose objects have no checks.
 * The runtime is loaded by LD_PRELOAD, so it is in the global scope and initialised before us. No
 * weak reference instead of dlsym: the linker may resolve that to NULL when it makes an executable.
 */
__attribute__((constructor(101))) void access_attach(void)
{
    static bool asked;
    if (asked)
        return;
    asked = true;
    regatta_access_attach_function *attach;
    *(void **)&attach = dlsym(RTLD_DEFAULT, "regatta_access_attach");
    const struct access_hooks *hooks =
        attach ? attach(ACCESS_VERSION | (&regatta_access_no_plugin ? ACCESS_WITHOUT_PLUGIN : 0))
               : NULL;
    if (!hooks)
        return;
    access_hooks = hooks;
    __atomic_store_n(&access_threads, hooks->threads, __ATOMIC_RELEASE);
    __atomic_store_n(&access_flags, hooks->flags, __ATOMIC_RELEASE);
    __atomic_store_n(&__regatta_flags, hooks->flags, __ATOMIC_RELEASE);
    __atomic_store_n(&__regatta_page_mask, ACCESS_PAGES - 1, __ATOMIC_RELEASE);
}

/* dlclose, or the end of the program. */
__attribute__((destructor)) static void detach(void)
{
    if (access_hooks)
        access_hooks->detach();
}
