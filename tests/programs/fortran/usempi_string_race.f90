! ranks: 2
! needs: cc
! expect: local-race A B
! semantics §1 and §2, strings: three characters of what is being sent are assigned, which needs no loop and no call.
program strings
    use mpi
    implicit none
    character(len=40), save :: line = 'a line'
    integer :: rank, req, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Isend(line, 40, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, req, ierr) ! A
        line(1:3) = 'the' ! B
        call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
        print *, line
    else
        call MPI_Recv(line, 40, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Finalize(ierr)
end program
