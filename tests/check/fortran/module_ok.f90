! expect: none
! The module mpi; what is received is read.
program receive
    use mpi
    implicit none
    real(8) :: buf(100), total
    integer :: request, err, status(MPI_STATUS_SIZE)
    call MPI_Init(err)
    call MPI_Irecv(buf, 100, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, request, err)
    call MPI_Wait(request, status, err)
    total = buf(50)
    if (total > 0) print *, total
    call MPI_Finalize(err)
end program
