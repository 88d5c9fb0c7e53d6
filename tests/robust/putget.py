# usage: putget.py clean|race    each rank puts to its right neighbour and gets from it
import os
import sys
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()
memory = array("i", [rank] * 8)
mine = array("i", [rank] * 4)
other = mine if sys.argv[1] == "race" else array("i", [0] * 4)
window = MPI.Win.Create(memory, 4, comm=comm)
right = (rank + 1) % ranks
window.Fence()
window.Put([mine, MPI.INT], right, (0, 4, MPI.INT))
window.Get([other, MPI.INT], right, (4, 4, MPI.INT))
window.Fence()
window.Free()
# One write: lines of two ranks must not mix, also where Python does not buffer.
os.write(1, b"rank %d of %d: done\n" % (rank, ranks))
