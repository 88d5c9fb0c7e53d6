/* expect: local-race A B */
/* sources-only: in optimised bitcode a doubt remains, and is told */
/* A server looks for the next request with MPI_Testany; the receive is posted again before the request was read. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { REQUESTS_EACH = 3, TAG = 11 };

struct query {
    int from, kind;
    double argument;
};

struct server {
    int clients, open;
    struct query *queries;
    MPI_Request *requests;
    double answer;
};

static int server_open(struct server *s, int clients)
{
    s->clients = clients;
    s->open = clients * REQUESTS_EACH;
    s->answer = 0;
    s->queries = malloc((size_t)clients * sizeof *s->queries);
    s->requests = malloc((size_t)clients * sizeof *s->requests);
    return s->queries && s->requests ? 0 : -1;
}

static void post(struct server *s, int client)
{
    MPI_Irecv(&s->queries[client], sizeof(struct query), MPI_BYTE, client + 1, TAG, MPI_COMM_WORLD, &s->requests[client]); /* A */
}

static void answer(struct server *s, const struct query *q)
{
    s->answer += q->argument; /* B */
}

static void serve(struct server *s)
{
    int *served = calloc((size_t)s->clients, sizeof *served);
    for (int i = 0; i < s->clients; i++)
        post(s, i);
    while (s->open > 0) {
        int index, flag = 0;
        MPI_Testany(s->clients, s->requests, &index, &flag, MPI_STATUS_IGNORE);
        if (!flag || index == MPI_UNDEFINED)
            continue;
        s->open--;
        served[index]++;
        if (served[index] < REQUESTS_EACH)
            post(s, index);
        answer(s, &s->queries[index]);
    }
    free(served);
}

static void ask(int rank)
{
    struct query q = {rank, 0, 1.0 / rank};
    for (int i = 0; i < REQUESTS_EACH; i++)
        MPI_Send(&q, sizeof q, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct server s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (server_open(&s, size - 1) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        serve(&s);
        printf("%g\n", s.answer);
        free(s.queries);
        free(s.requests);
    } else {
        ask(rank);
    }
    MPI_Finalize();
    return 0;
}
