package import Bytes
import CCrypto

/// The content that a CMS message (RFC 5652) carries with it: that of SignedData, as S/MIME calls it
/// opaque, and that of CompressedData (RFC 3274).
///
/// Nothing is judged here, not even whether a signature verifies: who signed a message says nothing
/// of what is in it. So it is read up to the end of the content, a piece at a time, and not by
/// OpenSSL, which would read the certificates behind it first: a megabyte of them takes a second.
package struct EncapsulatedContent {
    package let octets: SpooledBytes
    /// Whether the octets are a zlib stream (RFC 1950) that is still to be inflated: OpenSSL does that
    /// only where it was built with zlib, and Debian's was not.
    package let isCompressed: Bool

    /// Takes DER and BER; what lies behind the content may be missing, or be something else.
    package init(
        of message: SpooledBytes, limits: CMSLimits = CMSLimits(),
        spool: SpoolPolicy = SpoolPolicy()
    ) throws(CMSError) {
        var reader = BERReader(message)
        isCompressed = try reader.enterMessage()
        // The version, and the algorithms: a set of digests, or the one of compression.
        try reader.skip(BERReader.Tag.integer)
        if isCompressed {
            try reader.skipCompression()
        } else {
            try reader.skip(BERReader.Tag.set)
        }
        let information = try reader.enter(BERReader.Tag.sequence)
        try reader.skip(BERReader.Tag.objectIdentifier)
        guard try !reader.isAt(information) else { throw .noContent }
        let explicit = try reader.enter(BERReader.Tag.explicit)
        octets = try reader.octetString(limits, spool)
        try reader.leave(explicit)
        try reader.leave(information)
    }
}

/// What the content of a CMS message may cost. There is never more of it than of the message.
package struct CMSLimits: Sendable {
    /// In bytes.
    package var content = 256 << 20
    /// Of the pieces that the content is made of, within one another. One level is usual.
    package var depth = 16

    package init() {}
}

extension BERReader {
    /// Goes to where a SignedData or a CompressedData begins, and says whether it is the latter.
    fileprivate mutating func enterMessage() throws(CMSError) -> Bool {
        let type: ObjectName
        do throws(CMSError) {
            _ = try enter(Tag.sequence)
            type = try objectName()
        } catch {
            if case .file = error { throw error }
            throw .notAMessage
        }
        switch type.number {
        case NID_pkcs7_signed, NID_id_smime_ct_compressedData: break
        case NID_pkcs7_enveloped, NID_pkcs7_encrypted, NID_pkcs7_signedAndEnveloped,
            NID_id_smime_ct_authEnvelopedData:
            throw .encrypted
        default: throw .unsupported(type.text)
        }
        _ = try enter(Tag.explicit)
        _ = try enter(Tag.sequence)
        return type.number == NID_id_smime_ct_compressedData
    }

    /// Goes past the algorithm of compression; RFC 3274, 2 has one.
    fileprivate mutating func skipCompression() throws(CMSError) {
        var algorithm = self
        _ = try algorithm.enter(Tag.sequence)
        let name = try algorithm.objectName()
        guard name.number == NID_zlib_compression else { throw .unsupported(name.text) }
        try skip(Tag.sequence)
    }

    private mutating func objectName() throws(CMSError) -> ObjectName {
        let start = position
        guard let name = ObjectName(try bytes(of: Tag.objectIdentifier)) else {
            throw .damaged(offset: start)
        }
        return name
    }

    /// What is in an octet string; X.690, 8.7: its octets, or octet strings, with or without a length.
    fileprivate mutating func octetString(
        _ limits: CMSLimits, _ spool: SpoolPolicy
    ) throws(CMSError) -> SpooledBytes {
        var writer = OctetsWriter(spool)
        var open: [End] = []
        repeat {
            if let end = open.last, try isAt(end) {
                try leave(end)
                open.removeLast()
            } else if try tag() == Tag.constructedOctetString {
                guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
                open.append(try enter(Tag.constructedOctetString))
            } else if case .at(let end) = try enter(Tag.octetString) {
                guard end - position <= limits.content - writer.count else {
                    throw .contentTooLarge(limit: limits.content)
                }
                try copy(to: end, into: &writer)
            }
        } while !open.isEmpty
        do throws(FileError) {
            return try writer.finish()
        } catch {
            throw .file(error)
        }
    }
}
