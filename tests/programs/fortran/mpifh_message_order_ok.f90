! ranks: 2
! needs: run
! expect: none
! semantics §3: a message orders, through mpif.h in free form.
!
! The message leaves after it.
program message_order
    implicit none
    include 'mpif.h'
    integer :: mem(16), val, token, rank, win, ierr
    integer(kind=MPI_ADDRESS_KIND) :: size, at
    common /shared/ mem, val, token

    call MPI_INIT(ierr)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
    size = 64
    at = 0
    val = rank
    call MPI_WIN_CREATE(mem, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    if (rank == 0) then
        call MPI_WIN_LOCK(MPI_LOCK_SHARED, 1, 0, win, ierr)
        call MPI_PUT(val, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! A
        call MPI_WIN_UNLOCK(1, win, ierr)
        call MPI_SEND(token, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_RECV(token, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_WIN_LOCK(MPI_LOCK_SHARED, 1, 0, win, ierr)
        call MPI_GET(val, 1, MPI_INTEGER, 1, at, 1, MPI_INTEGER, win, ierr) ! B
        call MPI_WIN_UNLOCK(1, win, ierr)
    end if
    call MPI_WIN_FREE(win, ierr)
    call MPI_FINALIZE(ierr)
end program
