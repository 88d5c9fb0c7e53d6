! ranks: 2
! needs: cc
! expect: none
! semantics §1, strings: functions that make strings read others.
!
! They read a line that is being sent.
program strings
    use mpi
    implicit none
    character(len=40), asynchronous, save :: line = '  a line', other = 'another'
    character(len=80), save, volatile :: seen
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Isend(line, 40, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, req, ierr)
        seen = adjustl(line)
        seen = adjustr(line)
        seen = other // line
        seen = trim(line) // 's'
        call MPI_Recv(other, 40, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
    else
        call MPI_Recv(line, 40, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Send(other, 40, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
