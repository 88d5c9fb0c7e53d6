/* Prints its own path and the return address of one call, as the runtime would record it. */
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#ifdef INLINED
#define PLACEMENT static inline __attribute__((always_inline))
#else
#define PLACEMENT __attribute__((noinline))
#endif

static int load_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(unsigned long *)bias = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

static __attribute__((noinline)) int record(void)
{
    char path[300] = "";
    unsigned long bias = 0;
    dl_iterate_phdr(load_bias, &bias);
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return 1;
    printf("%s %lu\n", path, (unsigned long)__builtin_return_address(0) - bias);
    return 0;
}

PLACEMENT int inner(int x)
{
    return record() + x; /* the call: SUBJECT_CALL_LINE */
}

PLACEMENT int outer(int x)
{
    return inner(x) + x;
}

int main(void)
{
    return outer(0);
}
