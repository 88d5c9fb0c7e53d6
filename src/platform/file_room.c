#include "file_room.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

int platform_file_reserve(int file, uint64_t offset, uint64_t bytes)
{
    while (fallocate(file, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) != 0) {
        if (errno == ENOSYS)
            return EOPNOTSUPP;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

uint64_t platform_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}
