package import Bytes
package import MIME
package import MailSource
package import Platform

/// A Mac file, with a name, a data fork and a resource fork, in a format used in mail. The data
/// fork corresponds to a file on other systems.
///
/// VIOLATIONS.md, Z14: checksums of the forks are not verified; a damaged pass fails its own
/// checks.
package struct MacFile: Sendable {
    /// A header with the name in the file, if any.
    package let header: PartHeader
    /// Nil if the format contains none: AppleDouble stores it in a separate part.
    package let dataFork: SpooledBytes?

    package enum Form: String, Sendable {
        case appleSingle = "AppleSingle"
        case macBinary = "MacBinary"
        case binHex = "BinHex"
    }

    init(name: [UInt8], dataFork: SpooledBytes?) {
        header = PartHeader(names: MacFile.fileName(name).map { [$0] } ?? [])
        self.dataFork = dataFork
    }

    /// Decodes a Mac file of this kind; nil if the octets are in none of the formats, or damaged.
    /// `limit` applies to the data fork, in bytes. Throws `tooLarge` or `file`.
    package init?(_ octets: SpooledBytes, _ kind: ContentKind, limit: Int) throws(MacFileError) {
        do throws(MacFileError) {
            switch kind {
            case .file(.appleSingle): try self.init(appleSingle: octets)
            case .macBinary: try self.init(macBinary: octets)
            case .binHex: try self.init(binHex: octets, limit: limit)
            default: return nil
            }
        } catch {
            switch error {
            case .tooLarge, .file: throw error
            case .notOfForm, .truncated: return nil
            }
        }
    }

    /// Before UTF-8, Macs wrote names in the charset of their script, mostly Mac Roman.
    static func fileName(_ name: [UInt8]) -> String? {
        PartHeader.fileName(
            String(validatingStreamSafe: name) ?? Charset.decode(name, "macintosh"))
    }
}

/// Why octets could not be read as a Mac file.
package enum MacFileError: Error, Hashable {
    case notOfForm(MacFile.Form)
    /// With the file name, if known.
    case truncated(String?)
    /// The limit is in bytes.
    case tooLarge(String?, limit: Int)
    case file(FileError)
}

/// Big-endian numbers, as Macs wrote them.
struct BigEndian {
    let bytes: [UInt8]

    init(_ octets: SpooledBytes, _ range: Range<Int>) throws(MacFileError) {
        do throws(FileError) {
            bytes = try octets.array(range)
        } catch {
            throw .file(error)
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A number of at most four bytes; nil if it extends beyond the bytes.
    func number(_ width: Int, at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        return bytes[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }
}
