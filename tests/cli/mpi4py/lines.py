"""Races at several lines that all come by the same machine code: the interpreter knows which line it is."""
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
row = array("d", [rank] * 100)


class Halo:
    def send(self, tag):
        return comm.Isend(row, right, tag)

    def größe(self, tag):
        return comm.Irecv(row, left, tag)  # in the row that is being sent


def clean(tag):
    other = array("d", [0] * 100)
    MPI.Request.Waitall([comm.Isend(row, right, tag), comm.Irecv(other, left, tag)])


for step in range(3):
    halo = Halo()
    first = halo.send(0)
    second = halo.größe(0)
    MPI.Request.Waitall([first, second])
    clean(1)
    third = comm.Isend(row, right, 2)
    fourth = comm.Irecv(row, left, 2)
    MPI.Request.Waitall([third, fourth])
    clean(3)
exec(compile("\n\nfifth = comm.Isend(row, right, 4)\nsixth = comm.Irecv(row, left, 4)\n", "made.py", "exec"))
MPI.Request.Waitall([fifth, sixth])
