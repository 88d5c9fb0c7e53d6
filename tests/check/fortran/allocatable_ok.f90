! expect: none
! Memory from allocate, and given back by deallocate.
subroutine allocated_ok(n)
    use mpi
    implicit none
    integer, intent(in) :: n
    integer, allocatable :: work(:)
    integer :: request, err
    allocate (work(n))
    work = 0
    call MPI_Isend(work, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, err)
    call MPI_Wait(request, MPI_STATUS_IGNORE, err)
    work(2) = 5
    deallocate (work)
end subroutine
