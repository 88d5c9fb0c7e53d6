# usage: isend.py clean|race     a ring of nonblocking messages
import os
import sys
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()
mine = array("i", [rank] * 4)
other = mine if sys.argv[1] == "race" else array("i", [0] * 4)
requests = [
    comm.Irecv([other, MPI.INT], source=(rank - 1) % ranks, tag=7),
    comm.Isend([mine, MPI.INT], dest=(rank + 1) % ranks, tag=7),
]
MPI.Request.Waitall(requests)
# One write: lines of two ranks must not mix, also where Python does not buffer.
os.write(1, b"rank %d of %d: done\n" % (rank, ranks))
