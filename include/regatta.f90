! Annotations for Fortran programs that Regatta checks (regatta.h has them for C). Compile this file with the program. Without Regatta the
! subroutines find nobody to call, and do nothing; nothing has to be linked.
!   call regatta_ignore(buffer, bytes), regatta_notice(buffer, bytes)           races on these bytes of this process are meant / no longer
!   call regatta_happens_before(key, rank), regatta_happens_after(key, rank)    order that cannot be seen; rank of MPI_COMM_WORLD
module regatta
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: regatta_ignore, regatta_notice, regatta_happens_before, regatta_happens_after

    abstract interface
        subroutine on_memory(address, bytes) bind(C)
            import
            type(c_ptr), value :: address
            integer(c_size_t), value :: bytes
        end subroutine
        subroutine on_order(key, rank) bind(C)
            import
            integer(c_int64_t), value :: key
            integer(c_int), value :: rank
        end subroutine
    end interface
    interface
        function find(handle, name) bind(C, name="dlsym") result(entry)
            import
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: entry
        end function
    end interface

contains

    subroutine tell_memory(name, address, bytes)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(in) :: address
        integer, intent(in) :: bytes
        procedure(on_memory), pointer :: told
        type(c_funptr) :: entry
        entry = find(c_null_ptr, name // c_null_char)
        if (.not. c_associated(entry)) return
        call c_f_procpointer(entry, told)
        call told(address, int(bytes, c_size_t))
    end subroutine

    subroutine tell_order(name, key, rank)
        character(len=*), intent(in) :: name
        integer, intent(in) :: key, rank
        procedure(on_order), pointer :: told
        type(c_funptr) :: entry
        entry = find(c_null_ptr, name // c_null_char)
        if (.not. c_associated(entry)) return
        call c_f_procpointer(entry, told)
        call told(int(key, c_int64_t), int(rank, c_int))
    end subroutine

    subroutine regatta_ignore(buffer, bytes)
        type(*), intent(in), target :: buffer(*)
        integer, intent(in) :: bytes
        call tell_memory("regatta_ignore", c_loc(buffer), bytes)
    end subroutine

    subroutine regatta_notice(buffer, bytes)
        type(*), intent(in), target :: buffer(*)
        integer, intent(in) :: bytes
        call tell_memory("regatta_notice", c_loc(buffer), bytes)
    end subroutine

    subroutine regatta_happens_before(key, rank)
        integer, intent(in) :: key, rank
        call tell_order("regatta_happens_before", key, rank)
    end subroutine

    subroutine regatta_happens_after(key, rank)
        integer, intent(in) :: key, rank
        call tell_order("regatta_happens_after", key, rank)
    end subroutine
end module
