import Bytes

/// The line that announces a BinHex stream in a text (RFC 1741, appendix A).
package enum BinHexMarker {
    package static func begins(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        // VIOLATIONS.md, Z12: without "with BinHex 4.0)".
        bytes.hasPrefix("(This file must be converted", at: start)
    }
}
