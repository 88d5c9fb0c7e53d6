! ranks: 2
! needs: cc
! expect: none
! semantics §1, strings: searches read up to what they find.
!
! All is found in the first half of the line; the second is being received.
program strings
    use mpi
    implicit none
    character(len=40), asynchronous, save :: line = 'key=value'
    integer, save, volatile :: seen = 0
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Irecv(line(21:40), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, req, ierr)
        seen = seen + index(line, 'value')
        seen = seen + scan(line, '?=!')
        seen = seen + verify(line, 'key')
        seen = seen + len_trim(line(1:20))
        seen = seen + index(line(1:20), 'key', back=.true.)
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, ierr)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(line(21:40), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
