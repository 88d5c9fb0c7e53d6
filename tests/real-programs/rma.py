# usage: rma.py fence|lock|accumulate|fetch|pscw|shared|dynamic
# One-sided communication by mpi4py as its users write it: NumPy-free, memory from Python arrays and from MPI.
# Every rank prints what it computed; the lines are the same for every run.
import os
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % ranks, (rank - 1) % ranks
ROUNDS = 20


def fence():
    memory = array("d", [rank] * 64)
    window = MPI.Win.Create(memory, memory.itemsize, comm=comm)
    window.Fence(MPI.MODE_NOPRECEDE)
    for i in range(ROUNDS):
        outgoing = array("d", [rank + i] * 16)
        incoming = array("d", [0] * 16)
        window.Put([outgoing, MPI.DOUBLE], right, (0, 16, MPI.DOUBLE))
        window.Get([incoming, MPI.DOUBLE], left, (32, 16, MPI.DOUBLE))
        window.Fence()
        memory[32 + i % 16] += memory[i % 16] + sum(incoming)
        window.Fence()
    window.Fence(MPI.MODE_NOSUCCEED)
    window.Free()
    return sum(memory)


def lock():
    window = MPI.Win.Allocate(64 * 8, 8, comm=comm)
    memory = memoryview(window).cast("B").cast("d")
    for i in range(64):
        memory[i] = 0
    comm.Barrier()
    seen = 0
    for i in range(ROUNDS):
        outgoing = array("d", [rank + i] * 8)
        incoming = array("d", [0] * 8)
        window.Lock(right, MPI.LOCK_EXCLUSIVE)
        window.Put([outgoing, MPI.DOUBLE], right, (8, 8, MPI.DOUBLE))
        window.Flush(right)
        window.Get([incoming, MPI.DOUBLE], right, (8, 8, MPI.DOUBLE))
        window.Unlock(right)
        seen += sum(incoming)
    comm.Barrier()
    window.Lock(rank, MPI.LOCK_SHARED)
    total = sum(memory)
    window.Unlock(rank)
    window.Free()
    return seen + total


def accumulate():
    window = MPI.Win.Allocate(ranks * 8, 8, comm=comm)
    memory = memoryview(window).cast("B").cast("q")
    for i in range(ranks):
        memory[i] = 0
    comm.Barrier()
    window.Lock_all()
    for i in range(ROUNDS):
        for target in range(ranks):
            one = array("q", [rank + 1])
            window.Accumulate([one, MPI.INT64_T], target, (i % ranks, 1, MPI.INT64_T), MPI.SUM)
            window.Flush_local(target)
    window.Flush_all()
    window.Unlock_all()
    comm.Barrier()
    total = sum(memory)
    comm.Barrier()
    window.Free()
    return total


def fetch():
    # A ticket counter at rank 0: all tickets are given out once.
    window = MPI.Win.Allocate(8 if rank == 0 else 0, 8, comm=comm)
    if rank == 0:
        memoryview(window).cast("B").cast("q")[0] = 0
    comm.Barrier()
    tickets = []
    window.Lock_all()
    for _ in range(ROUNDS):
        one, ticket = array("q", [1]), array("q", [0])
        window.Fetch_and_op([one, MPI.INT64_T], [ticket, MPI.INT64_T], 0, 0, MPI.SUM)
        window.Flush(0)
        tickets.append(ticket[0])
    window.Unlock_all()
    given = sorted(sum(comm.allgather(tickets), []))
    window.Free()
    return sum(given) if given == list(range(ROUNDS * ranks)) else -1


def pscw():
    memory = array("i", [0] * 16)
    window = MPI.Win.Create(memory, memory.itemsize, comm=comm)
    world = comm.Get_group()
    to, origin = world.Incl([right]), world.Incl([left])
    total = 0
    for i in range(ROUNDS):
        outgoing = array("i", [rank * 100 + i] * 16)
        window.Post(origin)
        window.Start(to)
        window.Put([outgoing, MPI.INT], right, (0, 16, MPI.INT))
        window.Complete()
        window.Wait()
        total += sum(memory)
    window.Free()
    return total


def shared():
    window = MPI.Win.Allocate_shared(16 * 8, 8, comm=comm)
    mine = memoryview(window).cast("B").cast("q")
    segment, _ = window.Shared_query(right)
    theirs = memoryview(segment).cast("B").cast("q")
    total = 0
    window.Lock_all()
    for i in range(ROUNDS):
        for j in range(16):
            mine[j] = rank * 1000 + i + j
        window.Sync()
        comm.Barrier()
        window.Sync()
        total += sum(theirs)
        comm.Barrier()
    window.Unlock_all()
    del mine, theirs, segment
    window.Free()
    return total


def dynamic():
    window = MPI.Win.Create_dynamic(comm=comm)
    memory = array("d", [0] * 32)
    window.Attach(memory)
    addresses = comm.allgather(MPI.Get_address(memory))
    total = 0
    for i in range(ROUNDS):
        outgoing = array("d", [rank + i] * 32)
        window.Lock(right, MPI.LOCK_EXCLUSIVE)
        window.Put([outgoing, MPI.DOUBLE], right, (addresses[right], 32, MPI.DOUBLE))
        window.Unlock(right)
        comm.Barrier()
        total += sum(memory)
        comm.Barrier()
    window.Detach(memory)
    window.Free()
    return total


result = globals()[sys.argv[1]]()
# One write: lines of two ranks must not mix.
os.write(1, b"rank %d of %d: %s %g\n" % (rank, ranks, sys.argv[1].encode(), result))
