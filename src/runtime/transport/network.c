#include "network.h"

#include <stdlib.h>
#include <string.h>

#include "engine/alloc.h"
#include "interpose/pmpi.h"
#include "session.h"

/* A piece with everything that MPI adds stays below 4096 bytes, the least eager limit of the
 * transports in use (Open MPI's shared memory; UCX, libfabric and TCP have 8 KiB and more). */
enum { PIECE_BYTES = 3840, TAG_LETTERS = 1, TAG_GREETING = 2, GREETED_AT_MOST = 1024 };

struct header {
    uint32_t kind, reserved;
    uint64_t topic, number, size;
};

/* Sent, or to be sent; freed when MPI has taken it. */
struct piece {
    struct piece *next;
    uint32_t to;
    int size;
    bool started;
    MPI_Request request;
    char bytes[];
};

/* What has come of a letter. */
struct stream {
    struct header header;
    size_t have;
    char *bytes; /* NULL: between letters */
};

/* With the session's lock. */
static MPI_Comm letters_comm, count_comm;
static MPI_Request receiving, counting;
static int counted;
static char received[PIECE_BYTES];
static struct stream *streams;                     /* by rank */
static struct piece *oldest, **youngest = &oldest; /* in the order of sending */
static struct piece *unstarted;                    /* the first that MPI has not seen */
static MPI_Request barrier;                        /* of the end */
static bool barrier_is_started;
static MPI_Request *greetings; /* until the network is open */
static int thread_level;

/* Both sides must be in MPI to make a connection: now they are. */
static void greet(const bool *near)
{
    MPI_Request *requests = greetings;
    int n = 0;
    for (int rank = 0; session.ranks <= GREETED_AT_MOST && rank < session.ranks; rank++)
        if (!near[rank]) {
            pmpi.Irecv(NULL, 0, handles.byte, rank, TAG_GREETING, letters_comm, &requests[n++]);
            pmpi.Isend(NULL, 0, handles.byte, rank, TAG_GREETING, letters_comm, &requests[n++]);
        }
    pmpi.Waitall(n, requests, MPI_STATUSES_IGNORE);
    free(greetings);
    greetings = NULL;
}

bool network_prepare(void)
{
    streams = calloc(session.ranks, sizeof *streams);
    greetings = malloc(2 * (size_t)session.ranks * sizeof *greetings);
    return streams && greetings;
}

bool network_open(const bool *near)
{
    pmpi.Query_thread(&thread_level);
    if (pmpi.Comm_dup(handles.comm_world, &letters_comm) != MPI_SUCCESS ||
        pmpi.Comm_dup(handles.comm_world, &count_comm) != MPI_SUCCESS)
        return false;
    counting = receiving = handles.request_null;
    pmpi.Recv_init(received, PIECE_BYTES, handles.byte, MPI_ANY_SOURCE, TAG_LETTERS, letters_comm,
                   &receiving);
    pmpi.Start(&receiving);
    greet(near);
    return true;
}

void network_close(void)
{
    if (receiving == handles.request_null)
        return;
    pmpi.Cancel(&receiving);
    pmpi.Wait(&receiving, MPI_STATUS_IGNORE);
    pmpi.Request_free(&receiving);
    for (struct piece *piece = oldest; piece; piece = piece->next)
        if (piece->started)
            pmpi.Request_free(&piece->request); /* nobody waits for it any more */
    pmpi.Comm_free(&letters_comm);
    pmpi.Comm_free(&count_comm);
}

/* ---- sending ---- */

/* A thread of a program that promised to call MPI from one thread only may have something to send
 * (it reached into another rank's memory). It goes out when the main thread comes along, still
 * before anything that the main thread sends. */
bool network_may_call(void)
{
    return session_here.is_owner || thread_level >= MPI_THREAD_SERIALIZED;
}

static void pump(void)
{
    if (!network_may_call())
        return;
    for (; unstarted; unstarted = unstarted->next) {
        pmpi.Isend(unstarted->bytes, unstarted->size, handles.byte, unstarted->to, TAG_LETTERS,
                   letters_comm, &unstarted->request);
        unstarted->started = true;
    }
    int done = true;
    while (oldest) {
        struct piece *piece = oldest;
        pmpi.Test(&piece->request, &done, MPI_STATUS_IGNORE);
        if (!done)
            return;
        oldest = piece->next;
        free(piece);
    }
    youngest = &oldest;
}

static struct piece *piece_append(uint32_t to)
{
    /* A letter that is cut short would make nonsense of all that follow. */
    struct piece *piece = allocate(sizeof *piece + PIECE_BYTES);
    piece->next = NULL;
    piece->to = to;
    piece->size = 0;
    piece->started = false;
    *youngest = piece;
    youngest = &piece->next;
    if (!unstarted)
        unstarted = piece;
    return piece;
}

static struct piece *put(struct piece *piece, const void *bytes, size_t size)
{
    while (size > 0) {
        size_t room = PIECE_BYTES - piece->size, part = size < room ? size : room;
        memcpy(piece->bytes + piece->size, bytes, part);
        piece->size += (int)part;
        bytes = (const char *)bytes + part;
        size -= part;
        if (size > 0)
            piece = piece_append(piece->to);
    }
    return piece;
}

bool network_letter_send(uint32_t to, const struct letter *letter, const void *prefix,
                         size_t prefix_size)
{
    struct header header = {letter->kind, 0, letter->topic, letter->number,
                            prefix_size + letter->size};
    struct piece *piece = piece_append(to);
    piece = put(piece, &header, sizeof header);
    piece = put(piece, prefix, prefix_size);
    put(piece, letter->bytes, letter->size);
    pump();
    return true;
}

/* ---- receiving ---- */

static void arrive(uint32_t from, const char *bytes, size_t size, letter_reader *read)
{
    struct stream *stream = &streams[from];
    if (!stream->bytes) {
        memcpy(&stream->header, bytes, sizeof stream->header);
        bytes += sizeof stream->header;
        size -= sizeof stream->header;
        stream->have = 0;
        stream->bytes = allocate(stream->header.size + 1);
    }
    memcpy(stream->bytes + stream->have, bytes, size);
    stream->have += size;
    if (stream->have < stream->header.size)
        return;
    char *whole = stream->bytes;
    stream->bytes = NULL;
    struct letter letter = {stream->header.kind,   from,  stream->header.topic,
                            stream->header.number, whole, stream->header.size};
    read(&letter);
    free(whole);
}

void network_letters_read(letter_reader *read)
{
    if (!network_may_call())
        return;
    if (oldest)
        pump();
    for (;;) {
        MPI_Status status;
        int flag = 0, size = 0;
        pmpi.Test(&receiving, &flag, &status);
        if (!flag)
            return;
        pmpi.Get_count(&status, handles.byte, &size);
        char copy[PIECE_BYTES];
        memcpy(copy, received, size);
        pmpi.Start(&receiving);
        arrive(status.MPI_SOURCE, copy, size, read);
    }
}

/* ---- counting ---- */

void network_count_start(const int *sent)
{
    pmpi.Ireduce_scatter_block(sent, &counted, 1, handles.integer, handles.sum, count_comm,
                               &counting);
}

bool network_count_is_over(int *expected)
{
    int flag = counting == handles.request_null;
    if (!flag)
        pmpi.Test(&counting, &flag, MPI_STATUS_IGNORE);
    if (flag)
        *expected = counted;
    return flag;
}

bool network_barrier_is_over(void)
{
    int flag = 0;
    if (!barrier_is_started)
        pmpi.Ibarrier(count_comm, &barrier);
    barrier_is_started = true;
    pmpi.Test(&barrier, &flag, MPI_STATUS_IGNORE);
    return flag;
}
