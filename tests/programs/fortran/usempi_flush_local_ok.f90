! ranks: 2
! needs: run
! expect: none
! semantics §2: flush_local is no remote completion, through the mpi module.
!
! The put is followed by flush and a barrier.
program flush_local
    use mpi
    implicit none
    integer, asynchronous, target, save :: mem(16)
    integer, asynchronous, target, save :: value
    integer(MPI_ADDRESS_KIND) :: size = 64, at = 0
    integer :: rank, win, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    value = rank
    call MPI_Win_create(mem, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! A
        call MPI_Win_flush(1, win, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (rank == 1) call MPI_Get(value, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! B
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program
