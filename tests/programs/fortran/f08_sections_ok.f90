! ranks: 2
! needs: cc
! mpi: mpich
! expect: none
! semantics §1: MPI_Irecv writes its buffer until it is complete. With MPI_SUBARRAYS_SUPPORTED the buffer of an array section
! is the section: MPICH makes a datatype of it, whose handle is the same for each, one after the other.
! (Open MPI 4.1 copies the section to an array that is gone after the call: there both would be wrong.)
!
! The columns between those that are received are changed.
program sections
    use mpi_f08
    implicit none
    real, asynchronous, save :: halo(0:9, 0:8)
    type(MPI_Request) :: requests(4)
    integer :: rank, round

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    halo = rank
    do round = 1, 3
        call MPI_Irecv(halo(0, 1:8), 8, MPI_REAL, 1 - rank, 1, MPI_COMM_WORLD, requests(1))
        call MPI_Irecv(halo(9, 1:8:2), 4, MPI_REAL, 1 - rank, 2, MPI_COMM_WORLD, requests(2))
        call MPI_Isend(halo(8, 1:8), 8, MPI_REAL, 1 - rank, 1, MPI_COMM_WORLD, requests(3))
        call MPI_Isend(halo(1, 1:8:2), 4, MPI_REAL, 1 - rank, 2, MPI_COMM_WORLD, requests(4))
        halo(9, 2) = -1
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    end do
    call MPI_Finalize()
end program
