! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1, sections: a row is packed into a copy for the call, and all of it unpacked after it.
!
! What is unpacked is what rank 1 has sent, and changes a row that is being sent.
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
    root = 1
    if (rank == 0) call MPI_Isend(grid, 1, row, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
    call MPI_Bcast(grid(1, :), 8, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierr) ! B
    if (rank == 0) then
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(other, 1, row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Type_free(row, ierr)
    call MPI_Finalize(ierr)
end program
