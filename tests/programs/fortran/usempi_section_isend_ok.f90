! ranks: 2
! needs: cc
! expect: none
! semantics §1, sections: a row is packed into a copy for the call. The copy is given back when the call returns.
!
! A column is sent, which is contiguous and needs no copy.
program rows
    use mpi
    implicit none
    double precision, asynchronous, target, save :: grid(8, 8)
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    grid = rank
    call exchange(grid)
    call MPI_Finalize(ierr)

contains
    subroutine exchange(a)
        double precision, asynchronous :: a(:, :)
        if (rank == 0) then
            call MPI_Isend(a(:, 1), 8, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, req, ierr)
            call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
        else
            call MPI_Recv(a(1, :), 8, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end if
    end subroutine
end program
