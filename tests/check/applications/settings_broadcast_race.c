/* expect: local-race A B */
/* Settings are broadcast while everybody prepares; a process other than the first looks at them too early. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int cells, order;
    double length;
    char title[40];
} Settings;

typedef struct {
    Settings settings;
    MPI_Datatype type;
    double *mesh;
    int rank;
} Simulation;

static MPI_Datatype settings_type(void)
{
    MPI_Datatype made, type;
    int lengths[4] = {1, 1, 1, 40};
    MPI_Aint places[4] = {offsetof(Settings, cells), offsetof(Settings, order), offsetof(Settings, length), offsetof(Settings, title)};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Type_create_struct(4, lengths, places, types, &made);
    MPI_Type_create_resized(made, 0, sizeof(Settings), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&made);
    return type;
}

static void settings_read(Settings *s)
{
    s->cells = 40;
    s->order = 2;
    s->length = 1.5;
    strcpy(s->title, "a bar");
}

static int mesh_allocate(Simulation *sim, int cells)
{
    sim->mesh = malloc(((size_t)cells + 1) * sizeof(double));
    return sim->mesh ? 0 : 1;
}

static void mesh_fill(Simulation *sim)
{
    for (int i = 0; i <= sim->settings.cells; i++)
        sim->mesh[i] = sim->settings.length * i / sim->settings.cells;
}

static int set_up(Simulation *sim)
{
    MPI_Request request;
    int failed;
    memset(&sim->settings, 0, sizeof sim->settings);
    if (sim->rank == 0)
        settings_read(&sim->settings);
    sim->type = settings_type();
    MPI_Ibcast(&sim->settings, 1, sim->type, 0, MPI_COMM_WORLD, &request); /* A */
    failed = mesh_allocate(sim, sim->settings.cells); /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&sim->type);
    return failed;
}

int main(int argc, char **argv)
{
    Simulation sim;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &sim.rank);
    if (set_up(&sim) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (sim.rank == 0)
        mesh_fill(&sim);
    if (sim.rank == 0)
        printf("%s: %g\n", sim.settings.title, sim.mesh[1]);
    free(sim.mesh);
    MPI_Finalize();
    return 0;
}
