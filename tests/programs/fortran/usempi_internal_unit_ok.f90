! ranks: 2
! needs: cc
! expect: none
! semantics §1, strings: a character variable in place of a file is stored to by write, and loaded by read.
!
! The line that is being sent is read, and written when it was sent.
program units
    use mpi
    implicit none
    character(len=40), asynchronous, save :: out = 'step 0', in = 'step 0'
    integer, volatile, save :: step
    integer :: rank, other, req(2), ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    other = 1 - rank
    call MPI_Irecv(in, 40, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, req(1), ierr)
    call MPI_Isend(out, 40, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, req(2), ierr)
    read (out, '(5x,i1)') step
    call MPI_Waitall(2, req, MPI_STATUSES_IGNORE, ierr)
    write (out, '(a,i0)') 'step ', step + 1
    call MPI_Finalize(ierr)
end program
