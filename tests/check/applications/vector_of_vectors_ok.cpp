/* expect: none */
/* A vector of vectors, one for each neighbour, packed again before the sends are over. */
#include <mpi.h>

#include <cstdio>
#include <vector>

struct Mesh {
    std::vector<int> neighbours;
    std::vector<std::vector<double>> ghosts, borders;
};

static Mesh build(int rank, int size)
{
    Mesh mesh;
    for (int d = 1; d < size && d < 4; d++) {
        mesh.neighbours.push_back((rank + d) % size);
        mesh.ghosts.emplace_back(64);
        mesh.borders.emplace_back(64);
    }
    return mesh;
}

static void pack(Mesh &mesh, double value)
{
    for (std::size_t i = 0; i < mesh.borders.size(); i++)
        for (double &x : mesh.borders[i])
            x = value;
}

static void exchange(Mesh &mesh, double next)
{
    std::vector<MPI_Request> requests(2 * mesh.neighbours.size());
    for (std::size_t i = 0; i < mesh.neighbours.size(); i++) {
        MPI_Irecv(mesh.ghosts[i].data(), 64, MPI_DOUBLE, mesh.neighbours[i], 0, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(mesh.borders[i].data(), 64, MPI_DOUBLE, mesh.neighbours[i], 0, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall((int)requests.size(), requests.data(), MPI_STATUSES_IGNORE);
    pack(mesh, next);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Mesh mesh = build(rank, size);
    pack(mesh, rank);
    for (int step = 0; step < 5; step++)
        exchange(mesh, step);
    if (!mesh.ghosts.empty())
        std::printf("%g\n", mesh.ghosts[0][0]);
    MPI_Finalize();
    return 0;
}
