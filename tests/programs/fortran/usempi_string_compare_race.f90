! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1, strings: a comparison reads up to the first difference; the shorter string counts as filled up with blanks.
!
! The end of the line, which is being received, has to be compared with blanks.
program strings
    use mpi
    implicit none
    character(len=40), asynchronous, save :: line = 'header'
    integer :: rank, req, ierr
    logical, save, volatile :: seen

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Irecv(line(21:40), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
        seen = line == 'header' ! B
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, ierr)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(line(21:40), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Send(line(1:20), 20, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
