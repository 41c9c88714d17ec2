import Bytes
import PassContainers

/// The apparent type of bytes that are not a pass.
package enum FileType: Hashable, Sendable, Codable {
    case empty
    /// A media type according to libmagic.
    case media(String)
    case unknown
}

extension FileType {
    /// The type of a file with this beginning.
    package init(_ head: [UInt8]) {
        self = FileTypes().type(of: SpooledBytes(head))
    }
}

extension FileTypes {
    /// The type of octets, to explain why they are not a pass.
    func type(of octets: SpooledBytes) -> FileType {
        if octets.isEmpty { return .empty }
        // libmagic calls whatever it does not know a stream of octets.
        guard let type = mediaType(of: octets), type != "application/octet-stream" else {
            return .unknown
        }
        return .media(type)
    }
}
