package import Bytes
import CCrypto
import Platform

/// The encapsulated content of a CMS message (RFC 5652): SignedData, known as opaque signing in
/// S/MIME, or CompressedData (RFC 3274).
///
/// Signatures are not verified: the signer of a message does not matter for the passes in it. The
/// message is read in pieces, up to the end of the content, and without OpenSSL: that would first
/// parse the certificates after the content, and a megabyte of them takes a second.
package struct EncapsulatedContent {
    package let octets: SpooledBytes
    /// Whether the octets are a zlib stream (RFC 1950) to be inflated. OpenSSL can do that only if
    /// built with zlib, and Debian's is not.
    package let isCompressed: Bool

    /// Accepts DER and BER. VIOLATIONS.md, C6: data after the content may be missing or invalid.
    package init(
        of message: SpooledBytes, limits: CMSLimits = CMSLimits(),
        spool: SpoolPolicy = SpoolPolicy()
    ) throws(CMSError) {
        var reader = BERReader(message)
        isCompressed = try reader.enterMessage()
        // The version, and the digest algorithms or the compression algorithm.
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

/// Limits for the content of a CMS message. The content is never larger than the message.
package struct CMSLimits: Sendable {
    /// In bytes.
    package var content = 256 << 20
    /// The nesting depth of the content's segments; one level is usual.
    package var depth = 16

    package init() {}
}

extension BERReader {
    /// Enters a SignedData or CompressedData; returns whether it is the latter.
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

    /// Skips the compression algorithm, which must be zlib (RFC 3274, 2).
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

    /// The contents of an octet string (X.690, 8.7), primitive or constructed.
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
