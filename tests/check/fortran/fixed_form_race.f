! expect: local-race A B
      program common
      include 'mpif.h'
      integer buf(8), request, err
      common /shared/ buf
      call MPI_INIT(err)
      call MPI_ISEND(buf, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ! A
     &               request, err)
      call change
      call MPI_WAIT(request, MPI_STATUS_IGNORE, err)
      call MPI_FINALIZE(err)
      end

      subroutine change
      integer buf(8)
      common /shared/ buf
      buf(8) = 2 ! B
      end
