/* expect: none */
/* A library without a main program: the caller's buffer is packed again while it is being sent. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef struct other_comm_buffer {
    char *data;
    int size, position, peer;
    MPI_Comm comm;
    MPI_Request request;
} other_comm_buffer;

int other_comm_buffer_create(MPI_Comm comm, int peer, int size, other_comm_buffer **result)
{
    other_comm_buffer *b = malloc(sizeof *b);
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

int other_comm_buffer_put(other_comm_buffer *b, const void *bytes, int n)
{
    if (b->position + n > b->size)
        return -1;
    memcpy(b->data + b->position, bytes, n);
    b->position += n;
    return 0;
}

int other_comm_buffer_send(other_comm_buffer *b)
{
    return MPI_Isend(b->data, b->size, MPI_BYTE, b->peer, 0, b->comm, &b->request);
}

int other_comm_buffer_wait(other_comm_buffer *b)
{
    int error = MPI_Wait(&b->request, MPI_STATUS_IGNORE);
    b->position = 0;
    return error;
}

int other_comm_buffer_send_header(other_comm_buffer *b, int kind)
{
    if (other_comm_buffer_put(b, &kind, sizeof kind) != 0)
        return -1;
    if (other_comm_buffer_send(b) != MPI_SUCCESS)
        return -1;
    if (other_comm_buffer_wait(b) != MPI_SUCCESS)
        return -1;
    b->position = 0;
    if (other_comm_buffer_put(b, &kind, sizeof kind) != 0)
        return -1;
    return other_comm_buffer_wait(b);
}
