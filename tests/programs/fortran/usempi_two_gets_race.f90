! ranks: 2
! needs: nothing
! expect: local-race A B
! semantics §5: two gets into one buffer, through the mpi module.
!
! Both results go to the same element.
program two_gets
    use mpi
    implicit none
    integer, asynchronous, target, save :: mem(16)
    integer, asynchronous, target, save :: result(2)
    integer(MPI_ADDRESS_KIND) :: size = 64, at = 0
    integer :: rank, win, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Win_create(mem, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Get(result(1), 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! A
        call MPI_Get(result(1), 1, MPI_INTEGER, 1, at + 1, 1, MPI_INTEGER, win, ierr) ! B
    end if
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program
