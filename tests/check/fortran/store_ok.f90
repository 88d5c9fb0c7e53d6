! expect: none
! The simplest one, with mpif.h.
program store
    implicit none
    include 'mpif.h'
    integer :: buf(8), request, rank, err
    call MPI_Init(err)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
    if (rank == 0) then
        call MPI_Isend(buf, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, err)
        call MPI_Wait(request, MPI_STATUS_IGNORE, err)
        buf(4) = 1
    else if (rank == 1) then
        call MPI_Recv(buf, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, err)
    end if
    call MPI_Finalize(err)
end program
