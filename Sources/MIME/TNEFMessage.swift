package import Bytes

/// What a winmail.dat holds: a message in TNEF, the Transport Neutral Encapsulation Format of
/// [MS-OXTNEF], whose attachments no other part of the mail has.
///
/// It is read once, from front to back. No length in it is believed beyond the octets that are
/// there, and none is allocated.
package struct TNEFMessage: Sendable {
    /// In their order; without those that the stream ends in or before.
    package let attachments: [Attachment]
    /// What kept the stream from being read whole.
    package let problems: [MIMEProblem]

    package struct Attachment: Sendable {
        /// A message within the message has the media type of TNEF and its subject for a name.
        package let header: PartHeader
        /// The octets of the file; of a message within the message, TNEF again.
        package let body: SpooledBytes
    }

    package init(_ octets: SpooledBytes, limits: TNEFLimits = TNEFLimits()) throws(TNEFError) {
        let parser: TNEFParser?
        do throws(FileError) {
            parser = try TNEFParser(octets, limits)
        } catch {
            throw .file(error)
        }
        guard let parser else { throw .notTNEF }
        attachments = parser.attachments()
        problems = parser.problems
    }
}

/// What one winmail.dat may cost us.
package struct TNEFLimits: Sendable {
    package var attributes = 100_000
    package var attachments = 10_000
    /// Values of MAPI properties, of all attachments.
    package var properties = 1_000_000
    /// Names of all attachments, in bytes.
    package var names = 8 << 20

    package init() {}
}

/// Why octets cannot be read as a winmail.dat.
package enum TNEFError: Error, Equatable, CustomStringConvertible {
    case notTNEF
    case file(FileError)

    package var description: String {
        switch self {
        case .notTNEF: "not a TNEF stream"
        case .file(let error): error.description
        }
    }
}
