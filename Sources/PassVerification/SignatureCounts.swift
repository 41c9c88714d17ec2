import Bytes

/// How much there is in a SignedData (RFC 5652, 5.1), counted before OpenSSL reads it: a megabyte of
/// certificates takes it a second, and a digest of the whole content is made for each that is asked
/// for, which may be 80,000.
struct SignatureCounts: Equatable {
    let digests: Int
    let certificates: Int
    let signers: Int

    /// Nil when the bytes are no SignedData.
    init?(in signature: [UInt8]) {
        var reader = BERReader(SpooledBytes(signature))
        do throws(CMSError) {
            _ = try reader.enter(BERReader.Tag.sequence)
            try reader.skip(BERReader.Tag.objectIdentifier)
            _ = try reader.enter(BERReader.Tag.explicit)
            _ = try reader.enter(BERReader.Tag.sequence)
            try reader.skip(BERReader.Tag.integer)
            digests = try reader.count(in: BERReader.Tag.set)
            try reader.skip(BERReader.Tag.sequence)
            let hasCertificates = try reader.tag() == BERReader.Tag.certificates
            certificates = hasCertificates ? try reader.count(in: BERReader.Tag.certificates) : 0
            if try reader.tag() == BERReader.Tag.revocations {
                try reader.skip(BERReader.Tag.revocations)
            }
            signers = try reader.count(in: BERReader.Tag.set)
        } catch {
            return nil
        }
    }
}

extension BERReader {
    /// Goes past a value with this tag, and says how many values are in it.
    fileprivate mutating func count(in tag: UInt8) throws(CMSError) -> Int {
        let end = try enter(tag)
        var count = 0
        while try !isAt(end) {
            try skip()
            count += 1
        }
        try leave(end)
        return count
    }
}
