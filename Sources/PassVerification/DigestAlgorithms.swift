import Bytes

/// How many digests a SignedData (RFC 5652, 5.1) asks for. OpenSSL makes them all, of the whole
/// content, and does not say how many there are; a signature of one megabyte can ask for 80,000.
enum DigestAlgorithms {
    /// Nil when the bytes do not begin as a SignedData does.
    static func count(in signature: [UInt8]) -> Int? {
        var reader = BERReader(Octets(signature))
        do throws(CMSError) {
            _ = try reader.enter(BERReader.Tag.sequence)
            try reader.skip(BERReader.Tag.objectIdentifier)
            _ = try reader.enter(BERReader.Tag.explicit)
            _ = try reader.enter(BERReader.Tag.sequence)
            try reader.skip(BERReader.Tag.integer)
            let end = try reader.enter(BERReader.Tag.set)
            var count = 0
            while try !reader.isAt(end) {
                try reader.skip(BERReader.Tag.sequence)
                count += 1
            }
            return count
        } catch {
            return nil
        }
    }
}
