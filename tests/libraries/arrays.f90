! Fortran's side of the tests: it works on arrays that NumPy made, and lends arrays of its own.
module arrays
  use iso_c_binding
  implicit none
  private
  public :: scale_section, matrix_product, total, flip, conjugate, negate, shape_of
  public :: lend, lend_whole, lend_characters

  abstract interface
    subroutine borrower_of_real(x) bind(c)
      import
      real(c_double), intent(inout) :: x(:,:)
    end subroutine
    subroutine borrower_of_characters(x) bind(c)
      import
      character(kind=c_char), intent(inout) :: x(:)
    end subroutine
    subroutine borrower_of_allocatable(x) bind(c)
      import
      real(c_double), allocatable, intent(inout) :: x(:)
    end subroutine
  end interface

contains

  subroutine scale_section(x, factor) bind(c)
    real(c_double), intent(inout) :: x(:,:)
    real(c_double), value :: factor
    x(1:4:2, 2:5) = x(1:4:2, 2:5) * factor
  end subroutine

  subroutine matrix_product(a, b, c) bind(c)
    real(c_double), intent(in) :: a(:,:), b(:,:)
    real(c_double), intent(inout) :: c(:,:)
    c = matmul(a, b)
  end subroutine

  real(c_double) function total(x) bind(c)
    real(c_double), intent(in) :: x(:,:,:)
    total = sum(x)
  end function

  subroutine flip(x) bind(c)
    integer(c_int32_t), intent(inout) :: x(:)
    x = x(size(x):1:-1)
  end subroutine

  subroutine conjugate(x) bind(c)
    complex(c_float_complex), intent(inout) :: x(:)
    x = conjg(x)
  end subroutine

  subroutine negate(x) bind(c)
    logical(c_bool), intent(inout) :: x(:)
    x = .not. x
  end subroutine

  ! The extents of an array of any rank and type.
  subroutine shape_of(x, extents) bind(c)
    type(*), intent(in) :: x(..)
    integer(c_int), intent(inout) :: extents(*)
    extents(1:rank(x)) = shape(x)
  end subroutine

  ! x(i, j) is 10 * i + j; a section of it is lent, the changed whole is summed.
  real(c_double) function lend(borrower) bind(c)
    procedure(borrower_of_real) :: borrower
    real(c_double) :: x(6, 7)
    integer :: i, j
    do j = 1, 7
      do i = 1, 6
        x(i, j) = 10 * i + j
      end do
    end do
    call borrower(x(1:4:2, 2:5))
    lend = sum(x)
  end function

  ! Lent twice: before it is allocated, and then.
  real(c_double) function lend_whole(borrower) bind(c)
    procedure(borrower_of_allocatable) :: borrower
    real(c_double), allocatable :: x(:)
    call borrower(x)
    allocate (x(-1:2))
    x = 1
    call borrower(x)
    lend_whole = sum(x)
  end function

  subroutine lend_characters(borrower) bind(c)
    procedure(borrower_of_characters) :: borrower
    character(kind=c_char) :: x(3)
    x = 'x'
    call borrower(x)
  end subroutine

end module
