import Bytes
import Platform

/// Decodes a BinHex 4.0 stream (RFC 1741, appendix A) in three steps: characters to bytes, run
/// lengths expanded, then the header and the data fork. The resource fork is not read.
struct BinHexDecoder: ~Copyable {
    /// Why decoding ended; nil while more input is needed.
    private(set) var end: End?
    /// The name as stored in the header; empty until that is read.
    private(set) var name: [UInt8] = []

    enum End { case whole, cut, noHeader, tooLarge }

    private var dataFork: OctetsWriter
    private let limit: Int
    private var bits = 0 as UInt32
    private var bitCount = 0
    /// The byte that a run repeats, and whether a run marker followed it.
    private var last = 0 as UInt8
    private var isMarked = false
    private var header: [UInt8] = []
    /// The remaining length of the data fork, in bytes; nil before the header is read.
    private var left: Int?
    private var output: [UInt8] = []

    init(limit: Int, spool: SpoolPolicy) {
        self.limit = limit
        dataFork = OctetsWriter(spool)
    }

    /// Decodes a piece; returns false when no more input is needed.
    mutating func decode(_ text: Span<UInt8>) throws(FileError) -> Bool {
        var index = 0
        while index < text.count, end == nil {
            take(character: text[index])
            index += 1
            if output.count > 64 << 10 { try flush() }
        }
        try flush()
        return end == nil
    }

    consuming func finish() throws(FileError) -> SpooledBytes {
        try dataFork.finish()
    }

    private mutating func flush() throws(FileError) {
        try dataFork.append(output)
        output.removeAll(keepingCapacity: true)
    }

    private mutating func take(character: UInt8) {
        let digit = BinHexDecoder.digits[Int(character)]
        guard digit < 64 else {
            // VIOLATIONS.md, Z13: line ends may appear anywhere. A colon ends the stream, as does
            // any invalid character.
            if !character.isWhiteSpace { end = .cut }
            return
        }
        bits = bits << 6 | UInt32(digit)
        bitCount += 6
        guard bitCount >= 8 else { return }
        bitCount -= 8
        take(byte: UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }

    private mutating func take(byte: UInt8) {
        if isMarked {
            isMarked = false
            if byte == 0 { last = BinHexDecoder.mark }
            emit(last, byte == 0 ? 1 : Int(byte) - 1)
        } else if byte == BinHexDecoder.mark {
            isMarked = true
        } else {
            last = byte
            emit(byte, 1)
        }
    }

    private mutating func emit(_ byte: UInt8, _ count: Int) {
        var count = count
        while count > 0, left == nil, end == nil {
            header.append(byte)
            count -= 1
            readHeader()
        }
        guard let left, end == nil else { return }
        let taken = min(count, left)
        output.append(contentsOf: repeatElement(byte, count: taken))
        self.left = left - taken
        if taken == left { end = .whole }
    }

    /// Reads the header: name length, name, version, type, creator, flags, fork lengths, checksum.
    private mutating func readHeader() {
        let nameCount = Int(header[0])
        guard (1...63).contains(nameCount) else {
            end = .noHeader
            return
        }
        guard header.count == nameCount + 22 else { return }
        let fields = BigEndian(header)
        guard
            fields.number(2, at: nameCount + 20)
                == MacSignature.checksum(header.span.extracting(0..<nameCount + 20)),
            let length = fields.number(4, at: nameCount + 12)
        else {
            end = .noHeader
            return
        }
        name = Array(header[1...nameCount])
        left = length
        if length > limit { end = .tooLarge }
    }

    private static let mark = 0x90 as UInt8

    /// The value of each character; 64 for characters outside the alphabet.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 64, count: 256)
        let characters = "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr"
        for (digit, character) in characters.utf8.enumerated() {
            digits[Int(character)] = UInt8(digit)
        }
        return digits
    }()
}
