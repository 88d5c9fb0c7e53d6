! A receive is started into an array that a send still reads; then the same without the overlap.
! expect: local-race 18 19
! ranks: 2
program ring
    use mpi_f08
    implicit none
    integer :: rank, size, peer
    integer, asynchronous :: row(100)
    type(MPI_Request) :: requests(2)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    peer = size - 1 - rank
    row = rank

    ! The last element of the one is the first of the other.
    call MPI_Isend(row(1:50), 50, MPI_INTEGER, peer, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(row(50:99), 50, MPI_INTEGER, peer, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)

    call MPI_Isend(row(1:50), 50, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(row(51:100), 50, MPI_INTEGER, peer, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Finalize()
end program ring
