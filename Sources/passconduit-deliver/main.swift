import Glibc
import PassDelivery

/// Replaces iconv_open of the C library, which loads a shared library for each charset along with a
/// second copy of the C library: slow, and unsafe if the installed version differs from the one
/// linked statically.
@c(iconv_open) public func refuseTable(
    _ to: UnsafePointer<CChar>?, _ from: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer? {
    errno = ELIBACC
    return unsafe UnsafeMutableRawPointer(bitPattern: -1)
}

Delivery.main()
