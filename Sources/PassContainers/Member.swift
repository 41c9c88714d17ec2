package import Archives
package import Bytes
package import MIME
import MailContainers
import Platform

extension Contents {
    /// A member of a container. It is inflated on access, so that a container needs only the memory
    /// of one member.
    package struct Member {
        /// Including folders.
        package let name: String
        package let header: PartHeader
        private let storage: Storage

        private enum Storage {
            case entry(OpenContainer, ZipEntry)
            case octets(SpooledBytes)
            case attachment(OutlookMessage.Attachment)
        }

        init(_ container: OpenContainer, _ entry: ZipEntry) {
            name = entry.name
            header = PartHeader(names: [PartHeader.fileName(entry.name) ?? entry.name])
            storage = .entry(container, entry)
        }

        init(_ attachment: TNEFMessage.Attachment) {
            name = attachment.header.names.first ?? "message"
            header = attachment.header
            storage = .octets(attachment.body)
        }

        init(_ attachment: OutlookMessage.Attachment) {
            let last = attachment.header.names.first ?? "attachment"
            name = (attachment.messages + [last]).joined(separator: "!")
            header = attachment.header
            storage = .attachment(attachment)
        }

        init(_ file: MacFile) {
            name = file.header.names.first ?? "data"
            header = file.header
            storage = .octets(file.dataFork ?? SpooledBytes([]))
        }

        /// The number of bytes that may have been inflated before the member was refused.
        package func costOfRefusal(_ error: ZipError, _ limits: ZipLimits) -> Int {
            guard case .entry(_, let entry) = storage else { return 0 }
            switch error {
            case .encrypted, .unsupportedCompression, .file: return 0
            default:
                return min(
                    limits.entry,
                    limits.ratioFloor + min(entry.compressedSize, limits.entry) * limits.ratio)
            }
        }

        package func octets(limit: Int, spool: SpoolPolicy) throws(ZipError) -> SpooledBytes {
            switch storage {
            case .entry(let container, let entry):
                return try container.archive.octets(of: entry, limit: limit, policy: spool)
            case .octets(let octets):
                return octets
            case .attachment(let attachment):
                guard attachment.size <= limit else {
                    throw .entryTooLarge(name: name, limit: limit)
                }
                do throws(FileError) {
                    return try attachment.body(spool)
                } catch {
                    throw .file(error)
                }
            }
        }
    }
}
