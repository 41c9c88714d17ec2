import Bytes

/// A SignedData (RFC 5652, 5.1) split into its certificates and the rest.
///
/// Only for structures whose outer headers are as in DER or of indefinite length; OpenSSL reads all
/// others itself.
struct SplitSignature {
    /// Contiguous in the signature.
    let certificates: [ArraySlice<UInt8>]
    /// The SignedData without certificates, in BER.
    let rest: [UInt8]

    init?(_ signature: [UInt8]) {
        var reader = BERReader(SpooledBytes(signature))
        var certificates: [ArraySlice<UInt8>] = []
        var rest: [UInt8] = []
        do throws(CMSError) {
            let information = try reader.enterUsual(BERReader.Tag.sequence)
            rest += [BERReader.Tag.sequence, BERReader.markedLength]
            rest += try signature[reader.skipped(BERReader.Tag.objectIdentifier)]
            let explicit = try reader.enterUsual(BERReader.Tag.explicit)
            rest += [BERReader.Tag.explicit, BERReader.markedLength]
            let signedData = try reader.enterUsual(BERReader.Tag.sequence)
            rest += [BERReader.Tag.sequence, BERReader.markedLength]
            for tag in [BERReader.Tag.integer, BERReader.Tag.set, BERReader.Tag.sequence] {
                rest += try signature[reader.skipped(tag)]
            }
            let set = try reader.enterUsual(BERReader.Tag.certificates)
            while try !reader.isAt(set) {
                // Certificates of other types are not sequences.
                certificates.append(
                    try signature[reader.skipped(BERReader.Tag.sequence)])
            }
            try reader.leave(set)
            if try reader.tag() == BERReader.Tag.revocations {
                rest += try signature[reader.skipped(BERReader.Tag.revocations)]
            }
            rest += try signature[reader.skipped(BERReader.Tag.set)]
            for end in [signedData, explicit, information] {
                try reader.leave(end)
                rest += BERReader.endMark
            }
        } catch {
            return nil
        }
        guard reader.isInside else { return nil }
        self.certificates = certificates
        self.rest = rest
    }
}

extension BERReader {
    /// X.690, 8.1.3.6: indefinite length, ended by two zeros.
    fileprivate static let markedLength: UInt8 = 0x80
    fileprivate static let endMark: [UInt8] = [0, 0]

    /// Enters a value with this tag whose length is indefinite or in the fewest octets (X.690, 10.1).
    fileprivate mutating func enterUsual(_ tag: UInt8) throws(CMSError) -> End {
        let start = position
        let end = try enter(tag)
        if case .at(let last) = end {
            let count = last - position
            let octets = count < 0x80 ? 0 : (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
            guard position == start + 2 + octets else { throw .damaged(offset: start) }
        }
        return end
    }

    /// Skips a value with this tag, and returns its range.
    fileprivate mutating func skipped(_ tag: UInt8) throws(CMSError) -> Range<Int> {
        let start = position
        try skip(tag)
        guard isInside else { throw .damaged(offset: start) }
        return start..<position
    }
}
