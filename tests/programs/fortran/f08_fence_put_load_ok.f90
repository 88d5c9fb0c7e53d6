! ranks: 2
! needs: cc
! expect: none
! semantics §3 and §5, a fence epoch through mpi_f08.
!
! The load is after its closing fence.
program fence_put_load
    use mpi_f08
    implicit none
    double precision, asynchronous, target, save :: mem(8)
    double precision, volatile :: seen
    double precision, asynchronous, target, save :: value
    integer :: rank
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    value = rank
    call MPI_Win_create(mem, 64_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    if (rank == 0) call MPI_Put(value, 1, MPI_DOUBLE_PRECISION, 1, 2_MPI_ADDRESS_KIND, 1, MPI_DOUBLE_PRECISION, win) ! A
    call MPI_Win_fence(0, win)
    if (rank == 1) seen = mem(3)
    call MPI_Win_free(win)
    call MPI_Finalize()
end program
