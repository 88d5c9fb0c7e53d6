! ranks: 2
! needs: cc
! expect: none
! semantics §1, Irecv, through the mpi module.
!
! The load comes after it.
program irecv_load
    use mpi
    implicit none
    integer, asynchronous, target, save :: data(4)
    integer, volatile :: seen
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    data = rank
    if (rank == 0) then
        call MPI_Send(data, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_Irecv(data, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, req, ierr) ! A
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
        seen = data(1)
    end if
    call MPI_Finalize(ierr)
end program
