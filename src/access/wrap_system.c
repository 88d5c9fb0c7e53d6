/* System calls that read or write the program's memory, and sorting. */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "wrap.h"

/* Told before: what a write or send is going to read. Told after: what a read has stored. */
#define WRITES(name, parameters, arguments)                                                        \
    ssize_t REAL(name) parameters;                                                                 \
    ssize_t WRAP(name) parameters                                                                  \
    {                                                                                              \
        LOADS(buffer, n);                                                                          \
        return REAL(name) arguments;                                                               \
    }
#define READS(name, parameters, arguments)                                                         \
    ssize_t REAL(name) parameters;                                                                 \
    ssize_t WRAP(name) parameters                                                                  \
    {                                                                                              \
        ssize_t got = REAL(name) arguments;                                                        \
        if (got > 0)                                                                               \
            STORES(buffer, (size_t)got < n ? (size_t)got : n);                                     \
        return got;                                                                                \
    }

READS(read, (int file, void *buffer, size_t n), (file, buffer, n))
READS(pread, (int file, void *buffer, size_t n, off_t offset), (file, buffer, n, offset))
READS(pread64, (int file, void *buffer, size_t n, off64_t offset), (file, buffer, n, offset))
READS(recv, (int file, void *buffer, size_t n, int flags), (file, buffer, n, flags))
READS(recvfrom,
      (int file, void *buffer, size_t n, int flags, struct sockaddr *from, socklen_t *length),
      (file, buffer, n, flags, from, length))
READS(getrandom, (void *buffer, size_t n, unsigned flags), (buffer, n, flags))
READS(readlink, (const char *path, char *buffer, size_t n), (path, buffer, n))
WRITES(write, (int file, const void *buffer, size_t n), (file, buffer, n))
WRITES(pwrite, (int file, const void *buffer, size_t n, off_t offset), (file, buffer, n, offset))
WRITES(pwrite64, (int file, const void *buffer, size_t n, off64_t offset),
       (file, buffer, n, offset))
WRITES(send, (int file, const void *buffer, size_t n, int flags), (file, buffer, n, flags))
WRITES(sendto,
       (int file, const void *buffer, size_t n, int flags, const struct sockaddr *to,
        socklen_t length),
       (file, buffer, n, flags, to, length))

/* with -D_FORTIFY_SOURCE */
READS(__read_chk, (int file, void *buffer, size_t n, size_t room), (file, buffer, n, room))
READS(__pread_chk, (int file, void *buffer, size_t n, off_t offset, size_t room),
      (file, buffer, n, offset, room))
READS(__pread64_chk, (int file, void *buffer, size_t n, off64_t offset, size_t room),
      (file, buffer, n, offset, room))
READS(__recv_chk, (int file, void *buffer, size_t n, size_t room, int flags),
      (file, buffer, n, room, flags))
READS(__readlink_chk, (const char *path, char *buffer, size_t n, size_t room),
      (path, buffer, n, room))

/* ---- several pieces of memory ---- */

/* The first `total` bytes of the pieces. */
static void check_pieces(const struct access_place *place, const struct iovec *pieces, size_t n,
                         size_t total, enum hook_kind kind)
{
    for (size_t i = 0; i < n && total > 0; i++) {
        size_t bytes = pieces[i].iov_len < total ? pieces[i].iov_len : total;
        check_at(place, pieces[i].iov_base, bytes, kind);
        total -= bytes;
    }
}

#define WRITES_PIECES(name, parameters, arguments)                                                 \
    ssize_t REAL(name) parameters;                                                                 \
    ssize_t WRAP(name) parameters                                                                  \
    {                                                                                              \
        if (access_is_watched())                                                                   \
            check_pieces(&HERE, pieces, n > 0 ? (size_t)n : 0, SIZE_MAX, HOOK_LOAD);               \
        return REAL(name) arguments;                                                               \
    }
#define READS_PIECES(name, parameters, arguments)                                                  \
    ssize_t REAL(name) parameters;                                                                 \
    ssize_t WRAP(name) parameters                                                                  \
    {                                                                                              \
        ssize_t got = REAL(name) arguments;                                                        \
        if (got > 0 && access_is_watched())                                                        \
            check_pieces(&HERE, pieces, (size_t)n, (size_t)got, HOOK_STORE);                       \
        return got;                                                                                \
    }
READS_PIECES(readv, (int file, const struct iovec *pieces, int n), (file, pieces, n))
READS_PIECES(preadv, (int file, const struct iovec *pieces, int n, off_t offset),
             (file, pieces, n, offset))
READS_PIECES(preadv64, (int file, const struct iovec *pieces, int n, off64_t offset),
             (file, pieces, n, offset))
WRITES_PIECES(writev, (int file, const struct iovec *pieces, int n), (file, pieces, n))
WRITES_PIECES(pwritev, (int file, const struct iovec *pieces, int n, off_t offset),
              (file, pieces, n, offset))
WRITES_PIECES(pwritev64, (int file, const struct iovec *pieces, int n, off64_t offset),
              (file, pieces, n, offset))

ssize_t REAL(recvmsg)(int file, struct msghdr *message, int flags);
ssize_t WRAP(recvmsg)(int file, struct msghdr *message, int flags)
{
    ssize_t got = REAL(recvmsg)(file, message, flags);
    if (got > 0 && access_is_watched())
        check_pieces(&HERE, message->msg_iov, message->msg_iovlen, (size_t)got, HOOK_STORE);
    return got;
}

ssize_t REAL(sendmsg)(int file, const struct msghdr *message, int flags);
ssize_t WRAP(sendmsg)(int file, const struct msghdr *message, int flags)
{
    if (access_is_watched())
        check_pieces(&HERE, message->msg_iov, message->msg_iovlen, SIZE_MAX, HOOK_LOAD);
    return REAL(sendmsg)(file, message, flags);
}

/* ---- sorting ---- */

/* The comparisons are the program's own; moving the elements is the library's, and may move all. */
void REAL(qsort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void WRAP(qsort)(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    if (n > 1)
        STORES(base, n * size);
    REAL(qsort)(base, n, size, compare);
}

void REAL(qsort_r)(void *base, size_t n, size_t size,
                   int (*compare)(const void *, const void *, void *), void *context);
void WRAP(qsort_r)(void *base, size_t n, size_t size,
                   int (*compare)(const void *, const void *, void *), void *context)
{
    if (n > 1)
        STORES(base, n * size);
    REAL(qsort_r)(base, n, size, compare, context);
}
