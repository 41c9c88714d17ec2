import Glibc

/// Comparing untrusted text by its bytes.
///
/// `==`, hashing, `contains`, `hasPrefix` and `init(rawValue:)` consider canonically equivalent
/// strings equal. An ASCII word equals texts with U+212A KELVIN SIGN for K, U+037E for a semicolon
/// and U+1FEF for a backtick, and no other text; identifiers, keys and file names may be any
/// text, such as `é` in one scalar or two. `.ci/comparisons` finds such comparisons.
extension String {
    /// Whether both have the same bytes.
    ///
    /// For example: `"K".isExactly("\u{212A}") == false`
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { others in
                guard let first = own.baseAddress, let second = others.baseAddress else {
                    return true
                }
                return unsafe memcmp(first, second, own.count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Hashes the bytes, for a type that compares them.
    package func hashBytes(into hasher: inout Hasher) {
        let isHashed: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        // Terminates the text, so that none is a prefix of another.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// The text with ASCII letters in lower case. `lowercased()` also makes `k` of U+212A.
    ///
    /// For example: `"PKPass".asciiLowercased == "pkpass"`
    package var asciiLowercased: String { self[...].asciiLowercased }
}

extension Substring {
    /// The text with ASCII letters in lower case.
    ///
    /// For example: `"a.PKPass".suffix(6).asciiLowercased == "pkpass"`
    package var asciiLowercased: String {
        if utf8.allSatisfy({ $0 < 0x80 && $0 == $0.asciiLowercased }) { return String(self) }
        return String(streamSafe: utf8.map(\.asciiLowercased))
    }
}

extension RawRepresentable<String> {
    /// The value with exactly this raw value.
    ///
    /// For example: `BarcodeFormat(exactly: "P\u{212A}BarcodeFormatQR") == nil`
    package init?(exactly text: String) {
        guard let value = Self(rawValue: text), value.rawValue.isExactly(text) else { return nil }
        self = value
    }
}
