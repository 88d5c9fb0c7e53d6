! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1: memory that is given back counts as a store. (The message is empty, or the heap would suffer.)
!
! The array is deallocated while it is received into.
program give_back
    use mpi
    implicit none
    double precision, allocatable, asynchronous :: values(:)
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate (values(8))
    call MPI_Irecv(values, 8, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, req, ierr) ! A
    deallocate (values) ! B
    call MPI_Send(rank, 0, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, ierr)
    call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    call MPI_Finalize(ierr)
end program
