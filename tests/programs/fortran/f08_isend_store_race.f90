! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1, Isend, through mpi_f08.
!
! The store comes before MPI_Wait.
program isend_store
    use mpi_f08
    implicit none
    integer, asynchronous, target, save :: data(4)
    integer :: rank
    type(MPI_Request) :: req

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    data = rank
    if (rank == 0) then
        call MPI_Isend(data, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, req) ! A
        data(3) = 9 ! B
        call MPI_Wait(req, MPI_STATUS_IGNORE)
    else
        call MPI_Recv(data, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
    call MPI_Finalize()
end program
