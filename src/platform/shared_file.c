#include "shared_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "file_room.h"

enum { PATH_ROOM = 128, FIRST_DESCRIPTOR = 700 };

static int open_named(const char *name, int flags)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    return open(path, O_RDWR | O_CLOEXEC | flags, 0600);
}

int platform_shared_create(const char *name)
{
    int file = open_named(name, O_CREAT | O_EXCL);
    int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high < 0)
        return file;
    close(file);
    return high;
}

int platform_shared_open(const char *name)
{
    return open_named(name, 0);
}

void platform_shared_unname(const char *name)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    unlink(path);
}

bool platform_shared_reserve(int file, uint64_t offset, uint64_t bytes)
{
    /* Beyond the limit it would be a SIGXFSZ. */
    return offset + bytes <= platform_file_limit() &&
           posix_fallocate(file, (off_t)offset, (off_t)bytes) == 0;
}

void *platform_shared_map(int file, uint64_t offset, uint64_t bytes)
{
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
    return map == MAP_FAILED ? NULL : map;
}

uint64_t platform_unique_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number)
        return number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
