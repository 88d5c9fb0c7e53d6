/* For functions of this library that stand in front of the C library's. */
#ifndef REGATTA_RUNTIME_IN_FRONT_H
#define REGATTA_RUNTIME_IN_FRONT_H

#include <dlfcn.h>

#define EXPORTED __attribute__((visibility("default")))

/* The C library's function. */
#define REAL(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&name) real_;                                                            \
        __typeof__(&name) found_ = __atomic_load_n(&real_, __ATOMIC_RELAXED);                      \
        if (__builtin_expect(!found_, 0)) {                                                        \
            *(void **)&found_ = dlsym(RTLD_NEXT, #name);                                           \
            __atomic_store_n(&real_, found_, __ATOMIC_RELAXED);                                    \
        }                                                                                          \
        found_;                                                                                    \
    })

#endif
