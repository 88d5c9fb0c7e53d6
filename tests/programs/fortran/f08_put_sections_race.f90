! ranks: 2
! needs: cc
! mpi: mpich
! expect: local-race A B
! semantics §1 and §2: MPI_Put reads its origin buffer, here an array section (see f08_sections), until local completion.
!
! One of those that are put is changed.
program put_sections
    use mpi_f08
    implicit none
    integer, asynchronous, save :: mem(8), rows(4, 8)
    type(MPI_Win) :: win
    integer :: rank, round

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    rows = rank
    call MPI_Win_create(mem, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_lock_all(0, win)
    if (rank == 0) then
        do round = 1, 3
            call MPI_Put(rows(2, 1:8), 8, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 8, MPI_INTEGER, win)
            call MPI_Win_flush(1, win)
            call MPI_Put(rows(2, 1:8:2), 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win) ! A
            rows(2, 3) = round ! B
            call MPI_Win_flush(1, win)
        end do
    end if
    call MPI_Win_unlock_all(win)
    call MPI_Win_free(win)
    call MPI_Finalize()
end program
