! expect: none
! Every second element is sent.
subroutine vector_ok(buf)
    use mpi
    implicit none
    integer :: buf(16), request, every_second, err
    call MPI_Type_vector(8, 1, 2, MPI_INTEGER, every_second, err)
    call MPI_Type_commit(every_second, err)
    call MPI_Isend(buf, 1, every_second, 1, 0, MPI_COMM_WORLD, request, err)
    buf(4) = 0
    call MPI_Wait(request, MPI_STATUS_IGNORE, err)
    call MPI_Type_free(every_second, err)
end subroutine
