"""Puts to the neighbour and gets it back; with "usage" the put stands outside any epoch."""
import sys
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
comm.Set_errhandler(MPI.ERRORS_RETURN)
memory = array("d", [0] * 10)
value, copy = array("d", [rank + 1] * 10), array("d", [0] * 10)
win = MPI.Win.Create(memory, 8, MPI.INFO_NULL, comm)
win.Set_errhandler(MPI.ERRORS_RETURN)
if sys.argv[1:] == ["usage"]:
    try:
        win.Put(value, (rank + 1) % size)
    except MPI.Exception:
        pass
win.Fence()
win.Put(value, (rank + 1) % size)
win.Fence()
win.Get(copy, (rank + 1) % size)
win.Fence()
assert copy[9] == rank + 1 and memory[0] == (rank - 1) % size + 1
win.Free()
