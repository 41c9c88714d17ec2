package import Bytes

/// A file as Macs have it, with a name, a data fork and a resource fork in one, in a form in which
/// mail carries it. The data fork is what other systems call the file.
///
/// The sums of forks are not compared: a pass that was damaged on its way is known by its own.
package struct MacFile: Sendable {
    /// The name within, if there is one.
    package let header: PartHeader
    /// Nil where the form holds none: AppleDouble leaves it to the part beside.
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

    /// Macs wrote names in the set of their script, most of them in Roman, before they had UTF-8.
    static func fileName(_ name: [UInt8]) -> String? {
        PartHeader.fileName(
            String(validatingStreamSafe: name) ?? Charset.decode(name, "macintosh"))
    }
}

/// Why octets do not give a file of a Mac's.
package enum MacFileError: Error, Equatable, CustomStringConvertible {
    case notOfForm(MacFile.Form)
    /// With the file's name, if that is known.
    case truncated(String?)
    /// The limit is in bytes.
    case tooLarge(String?, limit: Int)
    case file(FileError)

    package var description: String {
        switch self {
        case .notOfForm(let form): "not a file in \(form.rawValue)"
        case .truncated(let name): "the data fork\(of(name)) is cut short"
        case .tooLarge(let name, let limit):
            "the data fork\(of(name)) is larger than \(limit) bytes"
        case .file(let error): error.description
        }
    }

    private func of(_ name: String?) -> String { name.map { " of \($0)" } ?? "" }
}

/// Numbers with the high byte first, as Macs wrote them.
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

    /// A number of at most four bytes; nil where it does not lie in the bytes.
    func number(_ width: Int, at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        return bytes[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The sum that MacBinary and BinHex have behind their headers: CRC-16 of CCITT, high bit first, from
/// zero.
enum MacChecksum {
    static func of(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum = 0 as UInt16
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return Int(sum)
    }
}
