/* expect: local-race A B */
/* Messages in a linked list, each with its own memory; a message is given back before its send is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    char *text;
    int length;
    MPI_Request request;
};

static struct message *outbox;

static void post(int dest, const char *text)
{
    struct message *m = malloc(sizeof *m);
    if (!m)
        MPI_Abort(MPI_COMM_WORLD, 1);
    m->length = (int)strlen(text) + 1;
    m->text = malloc(m->length);
    if (!m->text)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memcpy(m->text, text, m->length);
    MPI_Isend(m->text, m->length, MPI_CHAR, dest, 9, MPI_COMM_WORLD, &m->request); /* A */
    free(m->text); /* B */
    m->next = outbox;
    outbox = m;
}

static void flush(void)
{
    while (outbox) {
        struct message *m = outbox;
        outbox = m->next;
        MPI_Wait(&m->request, MPI_STATUS_IGNORE);
        free(m);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    char text[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++)
        post((rank + 1) % size, "tick");
    for (int i = 0; i < 4; i++)
        MPI_Recv(text, sizeof text, MPI_CHAR, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    flush();
    MPI_Finalize();
    return 0;
}
