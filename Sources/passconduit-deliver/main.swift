import Glibc
import PassDelivery

/// Stands in for the C library's own, which loads a dynamic library for each character set, and the C
/// library once more for these: of use to nobody who wants to start fast, and not safe where another
/// version of it is installed than this program was linked with.
@c(iconv_open) public func refuseTable(
    _ to: UnsafePointer<CChar>?, _ from: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer? {
    errno = ELIBACC
    return unsafe UnsafeMutableRawPointer(bitPattern: -1)
}

Delivery.main()
