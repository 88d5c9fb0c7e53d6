/* How much a file can hold. */
#ifndef REGATTA_PLATFORM_FILE_ROOM_H
#define REGATTA_PLATFORM_FILE_ROOM_H

#include <stdint.h>

/* Takes room on the disk without changing the file's size. 0, or an error number: EOPNOTSUPP if the
 * file system has no such thing, ENOSPC or EDQUOT if it is full. */
int platform_file_reserve(int file, uint64_t offset, uint64_t bytes);

/* The largest size that this process may give a file (RLIMIT_FSIZE); UINT64_MAX: any. */
uint64_t platform_file_limit(void);

#endif
