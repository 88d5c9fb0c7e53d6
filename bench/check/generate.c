/* usage: generate INSTRUCTIONS [SEED] >program.c
 * A synthetic MPI program of about so many IR instructions (at -O0), in the proportions of real codes: most functions
 * only compute on structs and arrays, some exchange halos with nonblocking calls through wrappers of their own, some
 * are reached through tables of function pointers. One function in a hundred that exchange has a race. */
#include <stdio.h>
#include <stdlib.h>

/* Measured at -O0: so many IR instructions does each kind of function have. */
enum { COMPUTES = 47, EXCHANGES = 76, LAYER = 16 };

static unsigned long state = 1;

static unsigned draw(unsigned limit)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % limit;
}

static void compute(unsigned n)
{
    printf("static double compute%u(struct grid *g, int n)\n{\n    double sum = %u;\n", n, draw(9));
    printf("    for (int i = 1; i + 1 < n; i++) {\n"
           "        g->next[i] = g->cells[i - 1] * %u + g->cells[i] + g->cells[i + 1];\n"
           "        if (g->next[i] > %u)\n            sum += g->next[i] / %u;\n"
           "        else\n            g->counts[i %% 16] += i;\n    }\n",
           draw(9) + 1, draw(99), draw(9) + 1);
    printf("    double *swap = g->cells;\n    g->cells = g->next;\n    g->next = swap;\n");
    if (n >= LAYER)
        printf("    if (n > %u)\n        sum += compute%u(g, n - 1);\n", draw(50), n - LAYER + draw(LAYER));
    printf("    return sum + g->counts[%u];\n}\n\n", draw(16));
}

static void exchange(unsigned n, unsigned computes)
{
    int races = draw(100) == 0;
    printf("static double exchange%u(struct grid *g, int rank, int size, int n)\n{\n"
           "    MPI_Request req[4];\n"
           "    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;\n"
           "    post_receive(&g->halo[0], %u, left, &req[0]);\n"
           "    post_receive(&g->halo[%u], %u, right, &req[1]);\n"
           "    post_send(&g->edge[0], %u, left, &req[2]);\n"
           "    post_send(&g->edge[32], %u, right, &req[3]);\n",
           n, draw(16) + 1, 16 + draw(16), draw(16) + 1, draw(16) + 1, draw(16) + 1);
    printf("    double sum = compute%u(g, n);\n", draw(computes));
    if (races)
        printf("    g->edge[0] = sum;\n");
    printf("    if (n > %u)\n        sum += g->steps[n %% 4](g, n);\n", draw(9));
    printf("    finish(4, req);\n"
           "    for (int i = 0; i < 32; i++)\n        g->edge[i] = g->halo[i] + sum;\n"
           "    return sum;\n}\n\n");
}

int main(int argc, char **argv)
{
    unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    unsigned long pairs = wanted / (7 * COMPUTES + EXCHANGES);
    unsigned computes = 0;
    printf("#include <mpi.h>\n#include <stdlib.h>\n\n"
           "struct grid {\n    double *cells, *next;\n    double halo[64], edge[64];\n    int counts[16];\n"
           "    double (*steps[4])(struct grid *, int);\n};\n\n"
           "static void post_receive(double *p, int n, int peer, MPI_Request *req)\n"
           "{\n    MPI_Irecv(p, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, req);\n}\n\n"
           "static void post_send(double *p, int n, int peer, MPI_Request *req)\n"
           "{\n    MPI_Isend(p, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, req);\n}\n\n"
           "static void finish(int n, MPI_Request *req)\n{\n    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);\n}\n\n");
    for (unsigned long i = 0; i <= pairs; i++) {
        for (int k = 0; k < 7; k++)
            compute(computes++);
        exchange((unsigned)i, computes);
    }
    printf("int main(int argc, char **argv)\n{\n    int rank, size;\n    MPI_Init(&argc, &argv);\n"
           "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
           "    struct grid *g = calloc(1, sizeof *g);\n    g->cells = malloc(1000 * sizeof(double));\n"
           "    g->next = malloc(1000 * sizeof(double));\n    double sum = 0;\n");
    for (int k = 0; k < 4; k++)
        printf("    g->steps[%d] = compute%u;\n", k, draw(computes));
    for (unsigned long i = 0; i <= pairs; i++)
        printf("    sum += exchange%lu(g, rank, size, 1000);\n", i);
    printf("    MPI_Finalize();\n    return sum > 0;\n}\n");
    return 0;
}
