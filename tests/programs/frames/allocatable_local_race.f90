! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1 and §8: an allocatable array that is local to a subroutine is deallocated when it returns.
!
! The subroutine returns while the array is sent.
module sending
    use mpi
    implicit none
contains
    subroutine start(n, req)
        integer, intent(in) :: n
        integer, intent(out) :: req
        integer :: ierr
        integer, allocatable, asynchronous :: row(:)
        allocate (row(n))
        row = 7
        call MPI_Isend(row, n, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
    end subroutine ! B
end module
program main
    use sending
    implicit none
    integer :: rank, req, ierr, row(40)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call start(40, req)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(row, 40, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Finalize(ierr)
end program
