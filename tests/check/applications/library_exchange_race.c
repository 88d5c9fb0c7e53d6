/* expect: local-race A B */
/* A library without a main program: the caller's buffer is packed again while it is being sent. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef struct comm_buffer {
    char *data;
    int size, position, peer;
    MPI_Comm comm;
    MPI_Request request;
} comm_buffer;

int comm_buffer_create(MPI_Comm comm, int peer, int size, comm_buffer **result)
{
    comm_buffer *b = malloc(sizeof *b);
    if (!b)
        return -1;
    b->data = malloc(size);
    if (!b->data) {
        free(b);
        return -1;
    }
    b->size = size;
    b->position = 0;
    b->peer = peer;
    b->comm = comm;
    b->request = MPI_REQUEST_NULL;
    *result = b;
    return 0;
}

int comm_buffer_put(comm_buffer *b, const void *bytes, int n)
{
    if (b->position + n > b->size)
        return -1;
    memcpy(b->data + b->position, bytes, n); /* B */
    b->position += n;
    return 0;
}

int comm_buffer_send(comm_buffer *b)
{
    return MPI_Isend(b->data, b->size, MPI_BYTE, b->peer, 0, b->comm, &b->request); /* A */
}

int comm_buffer_wait(comm_buffer *b)
{
    int error = MPI_Wait(&b->request, MPI_STATUS_IGNORE);
    b->position = 0;
    return error;
}

int comm_buffer_send_header(comm_buffer *b, int kind)
{
    if (comm_buffer_put(b, &kind, sizeof kind) != 0)
        return -1;
    if (comm_buffer_send(b) != MPI_SUCCESS)
        return -1;
    b->position = 0;
    if (comm_buffer_put(b, &kind, sizeof kind) != 0)
        return -1;
    return comm_buffer_wait(b);
}
