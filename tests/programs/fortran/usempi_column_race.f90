! ranks: 2
! needs: cc
! expect: remote-race A B
! semantics §1: a row of a Fortran matrix is a strided section.
!
! The owner changes an element of the row that is put.
program row_put
    use mpi
    implicit none
    double precision, asynchronous, target, save :: grid(4, 8)
    double precision, asynchronous, target, save :: row(8)
    integer(MPI_ADDRESS_KIND) :: size = 256, at = 1
    integer :: rank, win, row_type, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    row = rank
    call MPI_Type_vector(8, 1, 4, MPI_DOUBLE_PRECISION, row_type, ierr)
    call MPI_Type_commit(row_type, ierr)
    call MPI_Win_create(grid, size, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(row, 8, MPI_DOUBLE_PRECISION, 1, at, 1, row_type, win, ierr) ! A
    else
        grid(2, 5) = 1.0d0 ! B
    end if
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Type_free(row_type, ierr)
    call MPI_Finalize(ierr)
end program
