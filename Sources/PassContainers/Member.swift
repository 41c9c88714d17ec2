package import Archives
package import Bytes
import MIME
import MailContainers
package import PassDetection
import Platform

extension Contents {
    /// A member of a container. It is inflated on access, so that a container needs only the memory
    /// of one member.
    package struct Member {
        /// Including folders.
        package let name: String
        package let declaration: Declaration
        private let storage: Storage

        private enum Storage {
            case entry(ZipArchive, ZipEntry)
            case octets(SpooledBytes)
            case attachment(OutlookMessage.Attachment)
        }

        init(_ archive: ZipArchive, _ entry: ZipEntry, _ declaration: Declaration) {
            name = entry.name
            self.declaration = declaration
            storage = .entry(archive, entry)
        }

        init(_ attachment: TNEFMessage.Attachment, _ types: TypeMap) {
            name = attachment.header.names.first ?? "message"
            declaration = types.declaration(attachment.header)
            storage = .octets(attachment.body)
        }

        init(_ attachment: OutlookMessage.Attachment, _ types: TypeMap) {
            let last = attachment.header.names.first ?? "attachment"
            name = (attachment.messages + [last]).joined(separator: "!")
            declaration = types.declaration(attachment.header)
            storage = .attachment(attachment)
        }

        init(_ file: MacFile, _ types: TypeMap) {
            name = file.header.names.first ?? "data"
            declaration = types.declaration(file.header)
            storage = .octets(file.dataFork ?? SpooledBytes([]))
        }

        /// Whether it is encrypted and does not claim to be a pass. An archive of such members is
        /// reported once.
        package var isUnread: Bool {
            guard case .entry(_, let entry) = storage else { return false }
            return entry.isEncrypted && !declaration.isClaim
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
            case .entry(let archive, let entry):
                return try archive.octets(of: entry, limit: limit, policy: spool)
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
