! The twin of f08_large_counts_race: two arrays.
! expect: none
! mpi: mpich
program f08_large_counts
    use mpi_f08
    implicit none
    integer, asynchronous :: a(10), b(10)
    integer(MPI_COUNT_KIND) :: count
    integer :: rank, other
    type(MPI_Request) :: requests(2)

    a = 0
    b = 0
    count = 10
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    other = 1 - rank
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Isend(a, count, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(b, count, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Finalize()
end program
