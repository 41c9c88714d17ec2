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

/// Replaces the search of Swift's runtime for the program that prints backtraces. It ends a static
/// program without /proc before its first line runs.
@c(swift_copyAuxiliaryExecutablePath) public func findNoProgram(
    _ name: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    nil
}

Delivery.main()
