! ranks: 2
! needs: cc
! expect: none
!
! semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
!
! Without it, the callee sends the caller's variable.
program main
    use mpi
    implicit none
    integer :: rank, req, ierr, row(8)

    req = MPI_REQUEST_NULL
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call start(row, req)
    else
        call MPI_Recv(row, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    call MPI_Finalize(ierr)
contains
    subroutine start(row, req)
        integer :: row(8)
        integer, intent(inout) :: req
        integer :: ierr
        call MPI_Isend(row, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
    end subroutine start ! B
end program main
