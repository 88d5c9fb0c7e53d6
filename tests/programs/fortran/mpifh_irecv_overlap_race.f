! ranks: 2
! needs: nothing
! expect: local-race A B
! semantics §5: two receives that share an element, through mpif.h in fixed form.
!
! The second begins with the last element of the first.
      program overlap
      implicit none
      include 'mpif.h'
      integer data(8), rank, req(2), it, world, ierr
      common /shared/ data

      call MPI_INIT(ierr)
      it = MPI_INTEGER
      world = MPI_COMM_WORLD
      call MPI_COMM_RANK(world, rank, ierr)
      if (rank .eq. 0) then
        call MPI_SEND(data, 4, it, 1, 0, world, ierr)
        call MPI_SEND(data, 4, it, 1, 1, world, ierr)
      else
        call MPI_IRECV(data, 4, it, 0, 0, world, req(1), ierr)  ! A
        call MPI_IRECV(data(4), 4, it, 0, 1, world, req(2), ierr)  ! B
        call MPI_WAITALL(2, req, MPI_STATUSES_IGNORE, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
