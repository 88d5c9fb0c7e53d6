! ranks: 2
! needs: cc
! expect: none
! semantics §1, sections: a row is packed into a copy for the call, and all of it unpacked after it.
!
! What is unpacked is what was packed: a broadcast only reads the row at its root. Another send may read it as well.
program rows
    use mpi
    implicit none
    double precision, asynchronous, target, save :: grid(8, 8), other(8, 8)
    integer :: rank, root, req, row, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Type_vector(8, 1, 8, MPI_DOUBLE_PRECISION, row, ierr)
    call MPI_Type_commit(row, ierr)
    grid = rank
    root = 0
    if (rank == 0) call MPI_Isend(grid, 1, row, 1, 0, MPI_COMM_WORLD, req, ierr)
    call MPI_Bcast(grid(1, :), 8, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(other, 1, row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Type_free(row, ierr)
    call MPI_Finalize(ierr)
end program
