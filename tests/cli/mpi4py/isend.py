"""Neighbours in a ring pass a row on; with "race" it is received into the row that is being sent."""
import sys
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
row = array("d", [rank] * 100)
halo = row if sys.argv[1:] == ["race"] else array("d", [0] * 100)
requests = [comm.Isend(row, (rank + 1) % size), comm.Irecv(halo, (rank - 1) % size)]
MPI.Request.Waitall(requests)
box = comm.sendrecv({"from": rank}, (rank + 1) % size, source=(rank - 1) % size)
assert box["from"] == (rank - 1) % size
