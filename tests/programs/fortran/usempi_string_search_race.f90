! ranks: 2
! needs: cc
! expect: local-race A B
! expect: local-race A C
! expect: local-race A D
! expect: local-race A E
! expect: local-race A F
! semantics §1, strings: searches read up to what they find.
!
! Nothing is found in the first half of the line: the second, which is being received, is searched, too.
program strings
    use mpi
    implicit none
    character(len=40), asynchronous, save :: line = 'key=value'
    integer, save, volatile :: seen = 0
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Irecv(line(21:40), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
        seen = seen + index(line, 'value;') ! B
        seen = seen + scan(line, '?!') ! C
        seen = seen + verify(line, 'key=valu ') ! D
        seen = seen + len_trim(line(1:40)) ! E
        seen = seen + index(line(11:40), 'key', back=.true.) ! F
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, ierr)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(line(21:40), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
