/* expect: local-race A B */
/* Messages are dispatched to handlers through a table of functions; the handler of one kind keeps using the buffer that is posted again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { ADD, SHIFT, STOP, KINDS };

struct message {
    int kind, length;
    double data[14];
};

struct node;
typedef void handler(struct node *node, const struct message *message);

struct node {
    int rank, running;
    double total;
    struct message in;
    MPI_Request receive;
    handler *handlers[KINDS];
};

static void listen(struct node *node)
{
    MPI_Irecv(&node->in, sizeof node->in, MPI_BYTE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &node->receive); /* A */
}

static void on_add(struct node *node, const struct message *message)
{
    double sum = 0;
    for (int i = 0; i < message->length; i++)
        sum += message->data[i];
    node->total += sum;
    listen(node);
}

static void on_shift(struct node *node, const struct message *message)
{
    listen(node);
    node->total += message->data[0]; /* B */
}

static void on_stop(struct node *node, const struct message *message)
{
    (void)message;
    node->running = 0;
}

static void loop(struct node *node)
{
    listen(node);
    for (node->running = 1; node->running;) {
        MPI_Wait(&node->receive, MPI_STATUS_IGNORE);
        node->handlers[node->in.kind](node, &node->in);
    }
}

static void send(int to, int kind, int length)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    m.length = length;
    for (int i = 0; i < length; i++)
        m.data[i] = i;
    MPI_Send(&m, sizeof m, MPI_BYTE, to, 5, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct node node = {.handlers = {[ADD] = on_add, [SHIFT] = on_shift, [STOP] = on_stop}};
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &node.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (node.rank == 0) {
        for (int to = 1; to < size; to++) {
            send(to, ADD, 4);
            send(to, SHIFT, 1);
            send(to, STOP, 0);
        }
    } else {
        loop(&node);
        printf("%d: %g\n", node.rank, node.total);
    }
    MPI_Finalize();
    return 0;
}
