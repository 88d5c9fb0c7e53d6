! ranks: 2
! needs: cc
! expect: none
! semantics §1, Irecv, through the mpi module.
!
! The loads come behind MPI_WAIT.
program unused_load
    use mpi
    implicit none
    integer :: ierr

    call MPI_Init(ierr)
    call exchange()
    call MPI_Finalize(ierr)
contains
    subroutine exchange()
        integer, target, save :: data(8)
        integer :: rank, req, ierr, first, total, part, i

        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
        data = rank
        if (rank == 0) then
            call MPI_Send(data, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
        else
            call MPI_Irecv(data, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, req, ierr)
            call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
            first = data(1)
            total = 0
            do i = 2, 4
                total = total + data(i)
            end do
            part = sum(data(5:))
        end if
    end subroutine
end program
