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
static int counts;   /* how many have been started */
static int *nothing; /* by rank: 0 */
static char received[PIECE_BYTES];
static struct stream *streams;                     /* by rank */
static struct piece *oldest, **youngest = &oldest; /* in the order of sending */
static struct piece *unstarted;                    /* the first that MPI has not seen */
static MPI_Request barrier;                        /* of the end */
static bool barrier_is_started;
static MPI_Request *greetings; /* until the network is open */
static int *pieces_sent;       /* by rank, of all times */
static int pieces_received;    /* from all of them */
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
    pieces_sent = calloc(session.ranks, sizeof *pieces_sent);
    nothing = calloc(session.ranks, sizeof *nothing);
    return streams && greetings && pieces_sent && nothing;
}

bool network_open(const bool *near)
{
    pmpi.Query_thread(&thread_level);
    if (pmpi.Comm_dup(handles.comm_world, &letters_comm) != MPI_SUCCESS ||
        pmpi.Comm_dup(handles.comm_world, &count_comm) != MPI_SUCCESS)
        return false;
    counting = receiving = barrier = handles.request_null;
    pmpi.Recv_init(received, PIECE_BYTES, handles.byte, MPI_ANY_SOURCE, TAG_LETTERS, letters_comm,
                   &receiving);
    pmpi.Start(&receiving);
    greet(near);
    return true;
}

/* ---- sending ---- */

/* A thread of a program that promised to call MPI from one thread only may have something to send
 * (it reached into another rank's memory). It goes out when the main thread comes along, still
 * before anything that the main thread sends. */
bool network_may_call(void)
{
    return runtime_here.is_owner || thread_level >= MPI_THREAD_SERIALIZED;
}

static void pump_now(void)
{
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

static void pump(void)
{
    if (network_may_call())
        pump_now();
}

static struct piece *piece_append(uint32_t to)
{
    /* A letter that is cut short would make nonsense of all that follow. */
    struct piece *piece = allocate(sizeof *piece + PIECE_BYTES);
    piece->next = NULL;
    piece->to = to;
    piece->size = 0;
    piece->started = false;
    pieces_sent[to]++;
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

static bool piece_has_come(MPI_Status *status)
{
    int flag = 0;
    pmpi.Test(&receiving, &flag, status);
    pieces_received += flag;
    return flag;
}

void network_letters_read(letter_reader *read)
{
    MPI_Status status;
    if (!network_may_call())
        return;
    if (oldest)
        pump();
    while (piece_has_come(&status)) {
        int size = 0;
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
    counts++;
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

/* ---- the end ---- */

/* A rank that has given up did not start what the others did: it does so now. */
static void complete_collectives(void)
{
    int started[2] = {counts, barrier_is_started}, most[2];
    pmpi.Allreduce(started, most, 2, handles.integer, handles.max, letters_comm);
    while (counts < most[0]) {
        pmpi.Wait(&counting, MPI_STATUS_IGNORE);
        network_count_start(nothing);
    }
    pmpi.Wait(&counting, MPI_STATUS_IGNORE);
    if (barrier_is_started < most[1])
        pmpi.Ibarrier(count_comm, &barrier);
    pmpi.Wait(&barrier, MPI_STATUS_IGNORE);
}

/* Nobody reads any more what others have sent, but MPI would complain of it in MPI_Finalize (UCX
 * does so on standard output). */
static void complete_letters(void)
{
    int expected = 0;
    pmpi.Reduce_scatter_block(pieces_sent, &expected, 1, handles.integer, handles.sum,
                              letters_comm);
    while (oldest || pieces_received < expected) {
        pump_now();
        if (piece_has_come(MPI_STATUS_IGNORE))
            pmpi.Start(&receiving);
    }
}

void network_close(void)
{
    if (receiving == handles.request_null)
        return;
    complete_collectives();
    complete_letters();
    pmpi.Cancel(&receiving);
    pmpi.Wait(&receiving, MPI_STATUS_IGNORE);
    pmpi.Request_free(&receiving);
    pmpi.Comm_free(&letters_comm);
    pmpi.Comm_free(&count_comm);
}
