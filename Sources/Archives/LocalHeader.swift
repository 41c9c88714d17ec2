package import Bytes
import Platform

/// The local file header before an entry's data (APPNOTE 4.3.7), which should agree with the
/// central directory.
struct LocalHeader {
    /// The name, and those in Unicode Path fields.
    let names: [[UInt8]]
    let declared: ZipDeclaration
    /// The offset of the data.
    let end: Int

    /// Nil if there is no local header at `place`.
    init?(_ octets: SpooledBytes, at place: Int) throws(ZipError) {
        guard place <= octets.count else { return nil }
        let fixed = LittleEndian(try octets.bytes(place..<min(place + 30, octets.count)))
        guard fixed.four(0) == LocalHeader.signature, let flags = fixed.two(6),
            let method = fixed.two(8), let checksum = fixed.four(14),
            let compressedSize = fixed.four(18), let size = fixed.four(22),
            let nameCount = fixed.two(26), let extraCount = fixed.two(28)
        else { return nil }
        end = place + 30 + nameCount + extraCount
        guard end <= octets.count else { return nil }
        let rest = LittleEndian(try octets.bytes(place + 30..<end))
        guard let name = rest.slice(0, nameCount), let extra = rest.slice(nameCount, extraCount)
        else { return nil }
        names = [name] + LittleEndian(extra).unicodePaths
        var declared = ZipDeclaration(
            flags: flags, method: method, checksum: checksum, compressedSize: compressedSize,
            size: size)
        declared.takeLargeSizes(from: LittleEndian(extra))
        self.declared = declared
    }

    static let signature = 0x0403_4b50

    /// The size of the names and extra fields of a local header, in bytes; nil if it is cut off.
    static func variableSize(in octets: SpooledBytes, at place: Int) throws(ZipError) -> Int? {
        let fixed = LittleEndian(try octets.bytes(place..<min(place + 30, octets.count)))
        guard let nameCount = fixed.two(26), let extraCount = fixed.two(28),
            place + 30 + nameCount + extraCount <= octets.count
        else { return nil }
        return nameCount + extraCount
    }
}

extension ZipArchive {
    /// Whether the bytes before the archive proper, like itself, begin with a local header.
    package var followsAnother: Bool {
        get throws(FileError) {
            guard leadingCount > 0 else { return false }
            let starts = [
                try file.array(0..<4), try file.array(leadingCount..<leadingCount + 4),
            ]
            return starts.allSatisfy { FileSignature($0.span) == .zip }
        }
    }

    /// The name in the first local header of an archive that need not be intact; nil if there is
    /// none.
    package static func firstName(in octets: SpooledBytes) throws(ZipError) -> String? {
        try LocalHeader(octets, at: 0)?.names.first.map { String(streamSafe: $0) }
    }
}
