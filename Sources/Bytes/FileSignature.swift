/// A file format that may contain passes, recognised by its first bytes.
package enum FileSignature: Sendable, Hashable {
    case zip, sevenZip, rar, cpio, ar
    case gzip, xz, zstd, bzip2, lz4, lzma, lzip
    /// A file of the program `compress`, named `.Z`.
    case compress
    /// An image of a CD or DVD (ECMA-119). Its signature is at byte 32,769, so `isDiscImage`
    /// decides.
    case iso
    /// Microsoft's winmail.dat ([MS-OXTNEF], 2.1.3.1).
    case tnef
    /// A signed, compressed or encrypted message of RFC 5652, RFC 3274 or RFC 5083, in DER or BER.
    case cms
    /// A Mac file with both forks (AppleSingle) or without its data fork (AppleDouble); RFC 1740.
    case appleSingle
    /// A compound file: Outlook's .msg and the older Office formats ([MS-CFB], 2.2).
    case compoundFile
    /// A binary property list, such as Safari's .webarchive.
    case propertyList
    /// A message of OpenPGP (RFC 9580), in binary form or ASCII armor.
    case openPGP
    /// A message that Dovecot's zlib plugin compressed with LZ4, in a format of its own.
    case dovecotLZ4
    /// Outlook's .pst and .ost ([MS-PST], 2.2.2.6).
    case outlookFolders
    /// A .dbx file of Outlook Express. The format is undocumented.
    case outlookExpress
    /// A message or file that Dovecot's mail_crypt plugin encrypted.
    case dovecotEncrypted
    /// A file protected by Microsoft Purview, named `.pfile`.
    case protectedFile
    /// A message protected by it, named `.rpmsg` ([MS-OXORMMS], 2.1.4).
    case protectedMessage
    /// A database of Notes (.nsf).
    case notes
    /// A folder of The Bat! (.tbb). The format is undocumented.
    case theBat

    /// The number of bytes needed to decide.
    package static let length = 32

    /// Whether it is a single stream, compressed or encrypted, as which a server may store a message.
    package var isCompression: Bool {
        switch self {
        case .gzip, .xz, .zstd, .bzip2, .lz4, .lzma, .lzip, .compress, .dovecotLZ4,
            .dovecotEncrypted:
            true
        case .zip, .sevenZip, .rar, .cpio, .ar, .iso, .tnef, .cms, .appleSingle, .compoundFile,
            .propertyList, .openPGP, .outlookFolders, .outlookExpress, .protectedFile,
            .protectedMessage, .notes, .theBat:
            false
        }
    }

    package init?(_ bytes: Span<UInt8>, at start: Int = 0) {
        guard start >= 0, start < bytes.count, FileSignature.mayBegin(with: bytes[start]) else {
            return nil
        }
        // Many messages begin with `D`, and many bodies with `C`, `v` or `-`.
        if bytes[start] == UInt8(ascii: "D") {
            guard bytes.hasPrefix("Dovecot-LZ4\r*", at: start) else { return nil }
            self = .dovecotLZ4
        } else if bytes[start] == UInt8(ascii: "C") {
            guard bytes.hasPrefix("CRYPTED\u{3}\u{7}", at: start) else { return nil }
            self = .dovecotEncrypted
        } else if bytes[start] == UInt8(ascii: ".") {
            guard bytes.hasPrefix(".pfile", at: start) else { return nil }
            self = .protectedFile
        } else if bytes[start] == UInt8(ascii: "v") {
            guard FileSignature.has(FileSignature.protectedMessage.magic, bytes, start) else {
                return nil
            }
            self = .protectedMessage
        } else if bytes[start] == UInt8(ascii: "-") {
            guard bytes.hasPrefix("-----BEGIN PGP MESSAGE", at: start) else { return nil }
            self = .openPGP
        } else if FileSignature.has(FileSignature.zip.magic, bytes, start) {
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
        } else if FileSignature.has(FileSignature.propertyList.magic, bytes, start) {
            self = .propertyList
        } else if OpenPGPPacket.beginsMessage(bytes, at: start) {
            self = .openPGP
        } else if FileSignature.has(FileSignature.outlookFolders.magic, bytes, start) {
            self = .outlookFolders
        } else if FileSignature.has(FileSignature.outlookExpress.magic, bytes, start) {
            self = .outlookExpress
        } else if FileSignature.has(FileSignature.notes.magic, bytes, start) {
            self = .notes
        } else if FileSignature.has(FileSignature.theBat.magic, bytes, start) {
            self = .theBat
        } else if let archive = FileSignature(archive: bytes, at: start) {
            self = archive
        } else if let compression = FileSignature(compression: bytes, at: start) {
            self = compression
        } else {
            return nil
        }
    }

    private init?(archive bytes: Span<UInt8>, at start: Int) {
        if FileSignature.has(FileSignature.sevenZip.magic, bytes, start) {
            self = .sevenZip
        } else if FileSignature.has(FileSignature.rar.magic, bytes, start) {
            self = .rar
        } else if FileSignature.isCPIO(bytes, start) {
            self = .cpio
        } else if FileSignature.has(FileSignature.ar.magic, bytes, start) {
            self = .ar
        } else {
            return nil
        }
    }

    private init?(compression bytes: Span<UInt8>, at start: Int) {
        if FileSignature.has(FileSignature.lz4.magic, bytes, start)
            || FileSignature.has(FileSignature.legacyLZ4, bytes, start)
        {
            self = .lz4
        } else if FileSignature.isLZMA(bytes, start) {
            self = .lzma
        } else if FileSignature.has(FileSignature.lzip.magic, bytes, start) {
            self = .lzip
        } else if FileSignature.isCompress(bytes, start) {
            self = .compress
        } else {
            return nil
        }
    }

    /// Whether the volume descriptor of a disc image follows its system area.
    package static func isDiscImage(_ bytes: Span<UInt8>) -> Bool {
        has(iso.magic, bytes, discImageLength - iso.magic.count)
    }

    /// The number of bytes that `isDiscImage` needs.
    package static let discImageLength = 32_774

    /// Whether a disc image may begin with these bytes: its system area is empty, or begins like a
    /// disk with a boot record or an Apple partition map.
    package static func mayBeginDiscImage(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 512 else { return false }
        if has([0x55, 0xAA], bytes, 510) || has([0x45, 0x52], bytes, 0) { return true }
        for index in 0..<512 where bytes[index] != 0 { return false }
        return true
    }

    /// The bytes that all files in this format begin with, except those of Zstandard that begin
    /// with a skippable frame, older forms of cpio and LZ4, disc images, which contain them, and
    /// OpenPGP without armor.
    package var magic: [UInt8] {
        switch self {
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
        case .rar: [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]
        case .cpio: [0x30, 0x37, 0x30, 0x37, 0x30]
        case .ar: [0x21, 0x3C, 0x61, 0x72, 0x63, 0x68, 0x3E, 0x0A]
        case .iso: [0x43, 0x44, 0x30, 0x30, 0x31]
        case .gzip: [0x1F, 0x8B]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .bzip2: [0x42, 0x5A, 0x68]
        case .lz4: [0x04, 0x22, 0x4D, 0x18]
        case .lzma: [0x5D, 0x00, 0x00]
        case .lzip: [0x4C, 0x5A, 0x49, 0x50, 0x01]
        case .compress: [0x1F, 0x9D]
        case .tnef: [0x78, 0x9F, 0x3E, 0x22]
        case .cms: [0x30]
        case .appleSingle: [0x00, 0x05, 0x16]
        case .compoundFile: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
        case .propertyList: [0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30]
        case .openPGP: Array("-----BEGIN PGP MESSAGE".utf8)
        case .dovecotLZ4: Array("Dovecot-LZ4\r*".utf8) + [0x9B, 0xC5]
        case .outlookFolders: [0x21, 0x42, 0x44, 0x4E]
        case .outlookExpress: [0xCF, 0xAD, 0x12, 0xFE]
        case .dovecotEncrypted: Array("CRYPTED".utf8) + [0x03, 0x07]
        case .protectedFile: Array(".pfile".utf8)
        case .protectedMessage: [0x76, 0xE8, 0x04, 0x60, 0xC4, 0x11, 0xE3, 0x86]
        case .notes: [0x1A, 0x00, 0x00, 0x04, 0x00, 0x00]
        case .theBat: [0x20, 0x06, 0x79, 0x19]
        }
    }

    /// The frames of the first version of LZ4, which the Linux kernel uses.
    private static let legacyLZ4: [UInt8] = [0x02, 0x21, 0x4C, 0x18]

    /// The second to fourth bytes of a skippable frame of Zstandard; the first is 0x50 to 0x5F.
    package static let skippableFrame: [UInt8] = [0x2A, 0x4D, 0x18]

    /// Whether any of these formats begins with `byte`. The first byte suffices to rule out most
    /// bodies.
    package static func mayBegin(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "P"), UInt8(ascii: "B"), 0x1F, 0xFD, 0x28, 0x50...0x5F, 0x78, 0x00, 0x30,
            0xD0, 0xCF, UInt8(ascii: "7"), UInt8(ascii: "!"), UInt8(ascii: "L"), 0x71, 0xC7, 0x04,
            0x02, UInt8(ascii: "b"), UInt8(ascii: "D"), UInt8(ascii: "-"), UInt8(ascii: "C"),
            UInt8(ascii: "."), UInt8(ascii: "v"), 0x1A, 0x20, 0x84, 0x85, 0x8C, 0x90, 0xA0...0xA3,
            0xAC...0xAF, 0xC1, 0xC3, 0xC4, 0xC8, 0xCB:
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

    /// An ASCII header (`070701`, `070702`, `070707`), or a binary one, whose magic number is
    /// short:
    /// 16-bit words in either byte order, with the type of a file and a length of its name.
    private static func isCPIO(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        if has(cpio.magic, bytes, start), start + 5 < bytes.count {
            return [0x31, 0x32, 0x37].contains(bytes[start + 5])
        }
        guard start + 26 <= bytes.count else { return false }
        let isLittle = has([0xC7, 0x71], bytes, start)
        guard isLittle || has([0x71, 0xC7], bytes, start) else { return false }
        func word(_ index: Int) -> Int {
            let place = start + 2 * index
            let (low, high) = isLittle ? (place, place + 1) : (place + 1, place)
            return Int(bytes[low]) | Int(bytes[high]) << 8
        }
        let types = [0x1000, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xC000]
        return types.contains(word(3) & 0xF000) && (2...4096).contains(word(10))
    }

    /// The header of LZMA alone: the usual properties, the size of a dictionary (a power of two, or
    /// a half more), the size of the data, if known, and the first byte of the data, which is 0.
    private static func isLZMA(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard has(lzma.magic, bytes, start), start + 14 <= bytes.count, bytes[start + 13] == 0
        else { return false }
        var dictionary = 0
        for index in (1...4).reversed() {
            dictionary = dictionary << 8 | Int(bytes[start + index])
        }
        let isAdjacent = dictionary & (dictionary >> 1) != 0
        let isUsual =
            dictionary.nonzeroBitCount == 1 || dictionary == 0xFFFF_FFFF
            || dictionary.nonzeroBitCount == 2 && isAdjacent
        let isUnknown = has([UInt8](repeating: 0xFF, count: 8), bytes, start + 5)
        return isUsual && (isUnknown || has([0, 0], bytes, start + 11))
    }

    /// The magic number, and the number of bits of a code, 9 to 16, with at most the flag for
    /// blocks.
    private static func isCompress(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        has(compress.magic, bytes, start) && start + 2 < bytes.count
            && (9...16).contains(bytes[start + 2] & 0x7F)
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
