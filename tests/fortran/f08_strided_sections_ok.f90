! The twin of f08_strided_sections_race: the receive goes into even elements. MPI gets the sections without copies.
! expect: none
! mpi: mpich
program f08_strided_sections
    use mpi_f08
    implicit none
    integer, asynchronous :: a(20)
    integer :: rank, other
    type(MPI_Request) :: requests(2)

    a = 0
    call MPI_Init()
    if (.not. MPI_SUBARRAYS_SUPPORTED) call MPI_Abort(MPI_COMM_WORLD, 3)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    other = 1 - rank
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Isend(a(1:19:2), 9, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(a(2:18:2), 9, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Finalize()
end program
