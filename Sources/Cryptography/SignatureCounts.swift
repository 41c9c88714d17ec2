import Bytes

/// The number of items in a SignedData (RFC 5652, 5.1), counted before OpenSSL parses it: a
/// megabyte of certificates takes OpenSSL a second, and it computes a digest of the content for
/// each requested algorithm, of which there may be 80,000.
package struct SignatureCounts: Equatable {
    package let digests: Int
    package let certificates: Int
    package let signers: Int

    /// Nil if the bytes are not a SignedData.
    package init?(in signature: [UInt8]) {
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
    /// Skips a value with this tag, and returns the number of values in it.
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
