/* expect: local-race A B */
/* expect: local-race A C */
/* A server takes requests of any length by matched probes; the header is read before the receive is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 9, STORE = 1, QUIT = 2 };

struct header {
    int kind, key, length;
};

struct store {
    char *values[16];
    int open;
};

static void send_request(int kind, int key, const char *text)
{
    char message[256];
    struct header h = {kind, key, text ? (int)strlen(text) + 1 : 0};
    memcpy(message, &h, sizeof h);
    if (text)
        memcpy(message + sizeof h, text, (size_t)h.length);
    MPI_Send(message, (int)sizeof h + h.length, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
}

static int handle(struct store *s, const char *message)
{
    struct header h;
    memcpy(&h, message, sizeof h); /* B */
    if (h.kind == QUIT)
        return --s->open;
    if (h.kind != STORE || h.key < 0 || h.key >= 16)
        MPI_Abort(MPI_COMM_WORLD, 2);
    free(s->values[h.key]);
    s->values[h.key] = malloc((size_t)h.length);
    if (s->values[h.key])
        memcpy(s->values[h.key], message + sizeof h, (size_t)h.length); /* C */
    return s->open;
}

static void serve(int clients)
{
    struct store s;
    int more = clients;
    memset(&s, 0, sizeof s);
    s.open = clients;
    while (more > 0) {
        MPI_Message handle_of;
        MPI_Status status;
        MPI_Request request;
        int length;
        MPI_Mprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &handle_of, &status);
        MPI_Get_count(&status, MPI_CHAR, &length);
        char *message = malloc((size_t)length);
        if (!message)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Imrecv(message, length, MPI_CHAR, &handle_of, &request); /* A */
        more = handle(&s, message);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(message);
    }
    for (int i = 0; i < 16; i++)
        if (s.values[i]) {
            printf("%d: %s\n", i, s.values[i]);
            free(s.values[i]);
        }
}

int main(int argc, char **argv)
{
    int rank, size;
    char text[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        serve(size - 1);
    } else {
        snprintf(text, sizeof text, "from %d", rank);
        send_request(STORE, rank % 16, text);
        send_request(QUIT, 0, NULL);
    }
    MPI_Finalize();
    return 0;
}
