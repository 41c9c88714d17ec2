/// A file format that may contain passes, recognised by its first bytes.
package enum FileSignature: Sendable, Hashable {
    case zip, gzip, xz, zstd, bzip2
    /// Microsoft's winmail.dat ([MS-OXTNEF], 2.1.3.1).
    case tnef
    /// A signed, compressed or encrypted message of RFC 5652, RFC 3274 and RFC 5083, in DER or BER.
    case cms
    /// A Mac file with both forks (AppleSingle) or without its data fork (AppleDouble); RFC 1740.
    case appleSingle
    /// A compound file: Outlook's .msg and the older Office formats ([MS-CFB], 2.2).
    case compoundFile
    /// Outlook's .pst and .ost ([MS-PST], 2.2.2.6).
    case outlookFolders
    /// A .dbx file of Outlook Express. The format is undocumented.
    case outlookExpress

    /// The number of bytes needed to decide.
    package static let length = 32

    /// Whether it is a single compressed stream.
    package var isCompression: Bool {
        switch self {
        case .gzip, .xz, .zstd, .bzip2: true
        case .zip, .tnef, .cms, .appleSingle, .compoundFile, .outlookFolders, .outlookExpress:
            false
        }
    }

    package init?(_ bytes: Span<UInt8>, at start: Int = 0) {
        guard start >= 0, start < bytes.count, FileSignature.mayBegin(with: bytes[start]) else {
            return nil
        }
        if FileSignature.has(FileSignature.zip.magic, bytes, start) {
            self = .zip
        } else if FileSignature.has(FileSignature.gzip.magic, bytes, start),
            FileSignature.has([0x08], bytes, start + 2)
        {
            self = .gzip
        } else if FileSignature.has(FileSignature.xz.magic, bytes, start) {
            self = .xz
        } else if FileSignature.isZstandard(bytes, start) {
            self = .zstd
        } else if FileSignature.isBzip2(bytes, start) {
            self = .bzip2
        } else if FileSignature.has(FileSignature.tnef.magic, bytes, start) {
            self = .tnef
        } else if FileSignature.isAppleSingle(bytes, start) {
            self = .appleSingle
        } else if FileSignature.has(FileSignature.compoundFile.magic, bytes, start) {
            self = .compoundFile
        } else if FileSignature.isCMS(bytes, start) {
            self = .cms
        } else if FileSignature.has(FileSignature.outlookFolders.magic, bytes, start) {
            self = .outlookFolders
        } else if FileSignature.has(FileSignature.outlookExpress.magic, bytes, start) {
            self = .outlookExpress
        } else {
            return nil
        }
    }

    /// The bytes that all files in this format begin with, except those of Zstandard that begin with
    /// a skippable frame.
    package var magic: [UInt8] {
        switch self {
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        case .gzip: [0x1F, 0x8B]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .bzip2: [0x42, 0x5A, 0x68]
        case .tnef: [0x78, 0x9F, 0x3E, 0x22]
        case .cms: [0x30]
        case .appleSingle: [0x00, 0x05, 0x16]
        case .compoundFile: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
        case .outlookFolders: [0x21, 0x42, 0x44, 0x4E]
        case .outlookExpress: [0xCF, 0xAD, 0x12, 0xFE]
        }
    }

    /// The second to fourth bytes of a skippable frame of Zstandard; the first is 0x50 to 0x5F.
    package static let skippableFrame: [UInt8] = [0x2A, 0x4D, 0x18]

    /// Whether any of these formats begins with `byte`. The first byte suffices to rule out most
    /// bodies.
    package static func mayBegin(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "P"), UInt8(ascii: "B"), 0x1F, 0xFD, 0x28, 0x50...0x5F, 0x78, 0x00, 0x30,
            0xD0, UInt8(ascii: "!"), 0xCF:
            true
        default: false
        }
    }

    /// A Zstandard frame (RFC 8878, 3.1.1) or a skippable frame (3.1.2), which parallel compressors
    /// write first.
    private static func isZstandard(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        if has(zstd.magic, bytes, start) { return true }
        return start < bytes.count && bytes[start] & 0xF0 == 0x50
            && has(skippableFrame, bytes, start + 1)
    }

    /// `BZh`, the block size, and the magic number of a block or, in an empty file, of the footer.
    private static func isBzip2(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        has(bzip2.magic, bytes, start) && start + 4 < bytes.count
            && (0x31...0x39).contains(bytes[start + 3])
            && (has([0x31, 0x41, 0x59], bytes, start + 4)
                || has([0x17, 0x72, 0x45], bytes, start + 4))
    }

    /// The magic number of AppleSingle or AppleDouble, and the first byte of the version.
    private static func isAppleSingle(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        has(appleSingle.magic, bytes, start)
            && (has([0x00, 0x00], bytes, start + 3) || has([0x07, 0x00], bytes, start + 3))
    }

    /// A SEQUENCE, with any form of length, that begins with the OID of the content type.
    private static func isCMS(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard start + 1 < bytes.count, bytes[start] == 0x30 else { return false }
        let form = bytes[start + 1]
        let place = start + 2 + (form > 0x80 ? Int(form & 0x7F) : 0)
        guard form <= 0x88 else { return false }
        if has(contentTypes, bytes, place), place + contentTypes.count < bytes.count {
            return [2, 3, 4, 6].contains(bytes[place + contentTypes.count])
        }
        return has(compressedData, bytes, place) || has(authenticatedEnvelopedData, bytes, place)
    }

    /// The DER encodings, but for the last byte, of id-signedData (2), id-envelopedData (3), the
    /// obsolete signedAndEnvelopedData (4; RFC 2315) and id-encryptedData (6; RFC 5652).
    private static let contentTypes: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07,
    ]
    /// Those of id-ct-compressedData (RFC 3274, 1.1) and id-ct-authEnvelopedData (RFC 5083, 2.1).
    private static let compressedData: [UInt8] = [
        0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x09,
    ]
    private static let authenticatedEnvelopedData: [UInt8] = [
        0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x17,
    ]

    private static func has(_ signature: [UInt8], _ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard start >= 0, bytes.count - start >= signature.count else { return false }
        for index in signature.indices where bytes[start + index] != signature[index] {
            return false
        }
        return true
    }
}
