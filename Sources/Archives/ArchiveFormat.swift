package import Bytes

/// A format of archives; the raw value is its common name.
package enum ArchiveFormat: String, Sendable, Codable {
    case tar, cpio, ar
    case sevenZip = "7z"
    case rar = "RAR"
    case warc = "WARC"
    case iso = "ISO 9660"
    /// A ZIP archive that ends too early or has a damaged directory: its members are found by their
    /// local headers. ``ZipArchive`` reads intact ones.
    case zip = "ZIP"

    /// Nil if the signature is not that of an archive, or ``ZipArchive`` reads it.
    package init?(_ signature: FileSignature) {
        switch signature {
        case .sevenZip: self = .sevenZip
        case .rar: self = .rar
        case .cpio: self = .cpio
        case .ar: self = .ar
        case .iso: self = .iso
        default: return nil
        }
    }

    /// Whether it cannot be read as a stream.
    package var needsSeeking: Bool {
        switch self {
        // The directory of 7z is at its end. For ZIP, the local headers are read again.
        case .sevenZip, .zip: true
        case .tar, .cpio, .ar, .rar, .iso, .warc: false
        }
    }
}
