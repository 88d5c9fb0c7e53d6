! All routines without the optional error code, and all statuses kept. Semantics §1.
! expect: local-race 15 16
program f08_no_error_code
    use mpi_f08
    implicit none
    real(8), asynchronous :: a(200)
    integer :: rank, other, provided
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)

    a = 0
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    other = 1 - rank
    call MPI_Isend(a(1:100), 100, MPI_DOUBLE_PRECISION, other, 7, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(a(51:150), 100, MPI_DOUBLE_PRECISION, other, 7, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    if (statuses(2)%MPI_SOURCE /= other) call MPI_Abort(MPI_COMM_WORLD, 3)
    call MPI_Finalize()
end program
