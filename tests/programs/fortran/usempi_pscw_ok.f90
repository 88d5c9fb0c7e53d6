! ranks: 2
! needs: cc
! expect: none
! semantics §3: post, start, complete, wait through the mpi module.
!
! The target stores after MPI_WIN_WAIT.
program pscw
    use mpi
    implicit none
    integer, asynchronous, target, save :: mem(16)
    integer, asynchronous, target, save :: value
    integer(MPI_ADDRESS_KIND) :: size = 64, at = 3
    integer :: rank, win, world, peer, other(1), ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    other(1) = 1 - rank
    value = rank
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 1, other, peer, ierr)
    call MPI_Win_create(mem, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    if (rank == 0) then
        call MPI_Win_start(peer, 0, win, ierr)
        call MPI_Put(value, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! A
        call MPI_Win_complete(win, ierr)
    else
        call MPI_Win_post(peer, 0, win, ierr)
        call MPI_Win_wait(win, ierr)
        mem(4) = 5
    end if
    call MPI_Win_free(win, ierr)
    call MPI_Group_free(peer, ierr)
    call MPI_Group_free(world, ierr)
    call MPI_Finalize(ierr)
end program
