/* expect: none */
/* An outgoing buffer grows by realloc while it is being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    int *items;
    size_t count, room;
};

static void buffer_reserve(struct buffer *b, size_t room)
{
    if (room <= b->room)
        return;
    int *items = realloc(b->items, room * sizeof *items);
    if (!items) {
        fprintf(stderr, "cannot grow to %zu\n", room);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    b->items = items;
    b->room = room;
}

static void buffer_add(struct buffer *b, int item)
{
    if (b->count == b->room)
        buffer_reserve(b, b->room ? 2 * b->room : 16);
    b->items[b->count++] = item;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct buffer out = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    buffer_reserve(&out, 64);
    for (int i = 0; i < 64; i++)
        buffer_add(&out, i * rank);
    MPI_Isend(out.items, 64, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    int in[64];
    MPI_Recv(in, 64, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer_reserve(&out, 128);
    for (int i = 0; i < 64; i++)
        buffer_add(&out, in[i]);
    printf("%zu\n", out.count);
    free(out.items);
    MPI_Finalize();
    return 0;
}
