import Bytes
import Platform

/// The RTF of PidTagRtfCompressed ([MS-OXRTFCP]): a header of four numbers (compressed size, size,
/// type, checksum), and the text, compressed as in LZ77 or as it is.
///
/// ```
/// 2d 00 00 00  2b 00 00 00  4c 5a 46 75  f1 c5 c7 a7  03 00 0a 00 72 63 70 67 31 32 35 42 ...
/// ```
struct CompressedRTF {
    /// The declared size of the text, in bytes.
    let size: Int
    private let checksum: UInt32
    private let form: Form
    private let data: SpooledBytes
    private let isCut: Bool

    private enum Form { case compressed, plain, unknown }

    /// Nil if there is no complete header.
    init?(_ octets: SpooledBytes) throws(FileError) {
        let header = try octets.array(0..<16)
        guard header.count == 16 else { return nil }
        func number(_ place: Int) -> UInt32 {
            (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(header[place + $1]) }
        }
        size = Int(number(4))
        form =
            switch number(8) {
            case 0x7546_5A4C: .compressed
            case 0x414C_454D: .plain
            default: .unknown
            }
        checksum = number(12)
        // The first number counts the bytes after it.
        let end = Int(number(0)) + 4
        isCut = end > octets.count
        data = octets.slice(16..<max(min(end, octets.count), 16))
    }

    /// Calls `take` with the text in pieces, at most as many bytes as declared. Returns why it may
    /// not be the whole text.
    func read(_ take: (Span<UInt8>) throws(FileError) -> Void) throws(FileError)
        -> BodyProblem.Reason?
    {
        switch form {
        case .unknown: return .damaged
        case .plain:
            var left = size
            try data.forEachPiece { piece throws(FileError) in
                try take(piece.extracting(first: left))
                left -= min(left, piece.count)
                return left > 0
            }
            return left > 0 ? .truncated : nil
        case .compressed:
            var decoder = LZFuDecoder(size: size)
            try data.forEachPiece { piece throws(FileError) in
                try decoder.decode(piece, take)
                return true
            }
            try decoder.finish(take)
            if isCut || !decoder.isWhole { return .truncated }
            return decoder.checksum == checksum && !decoder.isTooLong ? nil : .damaged
        }
    }
}

/// Decompresses pieces of compressed RTF ([MS-OXRTFCP], 2.2).
private struct LZFuDecoder {
    /// Of the compressed bytes ([MS-OXRTFCP], 2.1.3.2).
    private(set) var checksum: UInt32 = 0
    /// Whether more than the declared size follows.
    private(set) var isTooLong = false
    private var isEnded = false
    private var left: Int
    private var dictionary: [UInt8]
    private var place: Int
    /// The bits that say which of the next items are references, and how many are left.
    private var control: UInt8 = 0
    private var bits = 0
    /// The first byte of a reference.
    private var first: UInt8?
    private var output: [UInt8] = []

    /// The text with which the dictionary begins.
    private static let beginning = Array(
        (#"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}"#
            + #"{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes "#
            + #"New RomanCourier{\colortbl\red0\green0\blue0"# + "\r\n"
            + #"\par \pard\plain\f0\fs20\b\i\u\tab\tx"#).utf8)
    private static let dictionarySize = 4096
    /// Of CRC-32, for each byte.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }

    init(size: Int) {
        left = size
        place = LZFuDecoder.beginning.count
        dictionary =
            LZFuDecoder.beginning
            + Array(repeating: 0, count: LZFuDecoder.dictionarySize - place)
    }

    /// Whether the end was found, or all of the declared size.
    var isWhole: Bool { isEnded || left == 0 }

    mutating func decode(
        _ bytes: Span<UInt8>, _ take: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        for index in bytes.indices {
            let byte = bytes[index]
            checksum =
                checksum >> 8 ^ LZFuDecoder.table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)]
            if isEnded || isTooLong { continue }
            if let high = first.take() {
                refer(Int(high) << 4 | Int(byte >> 4), count: Int(byte & 0xF) + 2)
            } else if bits == 0 {
                (control, bits) = (byte, 8)
                continue
            } else if control & 1 == 1 {
                first = byte
                continue
            } else {
                append(byte)
            }
            control >>= 1
            bits -= 1
            if output.count >= 64 << 10 { try finish(take) }
        }
    }

    mutating func finish(
        _ take: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        try take(output.span)
        output.removeAll(keepingCapacity: true)
    }

    /// Repeats bytes of the dictionary. A reference to the next place is the end.
    private mutating func refer(_ start: Int, count: Int) {
        if start == place {
            isEnded = true
            return
        }
        for index in start..<start + count {
            append(dictionary[index % LZFuDecoder.dictionarySize])
        }
    }

    private mutating func append(_ byte: UInt8) {
        guard left > 0 else {
            isTooLong = true
            return
        }
        left -= 1
        output.append(byte)
        dictionary[place] = byte
        place = (place + 1) % LZFuDecoder.dictionarySize
    }
}
