package import Bytes
package import MIME
package import Platform

/// The contents of a winmail.dat: a message in TNEF, the Transport Neutral Encapsulation Format
/// ([MS-OXTNEF]), whose attachments appear in no other part of the mail.
///
/// The stream is read once, in order. Lengths in it are checked against the octets present, and no
/// memory is allocated based on them.
package struct TNEFMessage: Sendable {
    /// In order; attachments beyond a truncated end are missing.
    package let attachments: [Attachment]
    /// Problems that prevented the stream from being read completely.
    package let problems: [TNEFProblem]

    package struct Attachment: Sendable {
        /// An embedded message has the media type of TNEF and its subject as name.
        package let header: PartHeader
        /// The octets of the file; for an embedded message, TNEF again.
        package let body: SpooledBytes
    }

    /// - Parameter texts: The bodies that are kept, as attachments.
    package init(
        _ octets: SpooledBytes, limits: TNEFLimits = TNEFLimits(), texts: WantedText = .withFiles
    ) throws(TNEFError) {
        let parser: TNEFParser?
        do throws(FileError) {
            parser = try TNEFParser(octets, limits, texts: texts)
        } catch {
            throw .file(error)
        }
        guard let parser else { throw .notTNEF }
        attachments = parser.attachments()
        problems = parser.problems
    }
}

/// Limits on the resources one winmail.dat may use.
package struct TNEFLimits: Sendable {
    package var attributes = 100_000
    package var attachments = 10_000
    /// MAPI property values of all attachments.
    package var properties = 1_000_000
    /// Names of all attachments, in bytes.
    package var names = 8 << 20
    /// Bodies that were compressed, in bytes.
    package var bodies = 64 << 20

    package init() {}
}

/// Why octets could not be read as a winmail.dat.
package enum TNEFError: Error, Hashable {
    case notTNEF
    case file(FileError)
}
