#include "own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

bool platform_peek(void *to, const void *from, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)from, bytes};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

void platform_program_path(char *path, size_t room)
{
    ssize_t length = readlink(PLATFORM_PROGRAM, path, room - 1);
    path[length > 0 ? length : 0] = 0;
}
