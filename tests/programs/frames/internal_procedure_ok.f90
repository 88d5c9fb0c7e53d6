! ranks: 2
! needs: cc
! expect: none
! semantics §1 and §8: an internal procedure may return while MPI uses an array of its host.
!
! The array is the host's, which waits.
module exchanging
    use mpi
    implicit none
contains
    subroutine both(rank)
        integer, intent(in) :: rank
        integer, asynchronous :: outer(10)
        integer :: req, ierr
        outer = rank
        req = MPI_REQUEST_NULL
        call start()
        if (rank == 1) call MPI_Recv(outer, 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    contains
        subroutine start()
            if (rank == 1) return
            call MPI_Isend(outer, 10, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, req, ierr)
        end subroutine
    end subroutine
end module
program main
    use exchanging
    implicit none
    integer :: rank, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call both(rank)
    call MPI_Finalize(ierr)
end program
