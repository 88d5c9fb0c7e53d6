! ranks: 2
! needs: cc
! expect: none
! semantics §1, sections: one component of all cells is copied for the call, and all of it copied back after it.
!
! What comes back is what was there: a broadcast only reads at its root. Another send may read it as well.
program components
    use mpi
    implicit none
    type cell
        double precision :: x, y
    end type
    type(cell), asynchronous, target, save :: cells(8)
    double precision :: other(16)
    integer :: rank, root, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells%x = rank
    cells%y = rank
    root = 0
    if (rank == 0) call MPI_Isend(cells, 16, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, req, ierr)
    call MPI_Bcast(cells%x, 8, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(other, 16, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Finalize(ierr)
end program
