! ranks: 3
! needs: run
! expect: remote-race A B
! semantics §5, cell put/put between two origins, through mpi_f08.
!
! Both put to element 0.
program two_origins
    use mpi_f08
    implicit none
    integer, asynchronous, target, save :: mem(16)
    integer, asynchronous, target, save :: value
    integer :: rank
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    value = rank
    call MPI_Win_create(mem, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_lock_all(0, win)
    if (rank == 0) call MPI_Put(value, 1, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) ! A
    if (rank == 1) then
        call MPI_Put(value, 1, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) ! B
        call MPI_Win_flush(2, win) ! the branches must end differently (README.md)
    end if
    call MPI_Win_unlock_all(win)
    call MPI_Win_free(win)
    call MPI_Finalize()
end program
