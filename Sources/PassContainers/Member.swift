package import Archives
package import Bytes
import Compression
import MIME
import MailContainers
package import MailSource
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
            case folder(ZipArchive, [EntryName: ZipEntry])
            case octets(SpooledBytes)
            case attachment(OutlookMessage.Attachment)
            case encoded(EncodedFile)
            case response(HTTPResponse)
            case compressed(SpooledBytes, CompressionFormat)
        }

        init(_ archive: ZipArchive, _ entry: ZipEntry, _ declaration: Declaration) {
            name = entry.name
            self.declaration = declaration
            storage = .entry(archive, entry)
        }

        init(
            _ archive: ZipArchive, _ files: [EntryName: ZipEntry], _ name: String,
            _ declaration: Declaration
        ) {
            self.name = name
            self.declaration = declaration
            storage = .folder(archive, files)
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

        init(_ response: HTTPResponse, _ types: TypeMap) {
            name = response.body.header.names.first ?? "body"
            declaration = types.declaration(response.body.header)
            storage = .response(response)
        }

        init(_ file: EncodedFile, _ types: TypeMap) {
            name = file.header.names.first ?? "data"
            declaration = types.declaration(file.header)
            storage = .encoded(file)
        }

        /// The attachment of a document.
        init(_ octets: SpooledBytes, _ format: CompressionFormat?, _ declaration: Declaration) {
            name = declaration.header.names.first ?? "data"
            self.declaration = declaration
            storage = format.map { .compressed(octets, $0) } ?? .octets(octets)
        }

        /// The files of an unpacked pass by their names in its folder; nil for a single file.
        package var unpackedPass: (archive: ZipArchive, files: [EntryName: ZipEntry])? {
            if case .folder(let archive, let files) = storage { (archive, files) } else { nil }
        }

        /// Its format, if that is not read.
        package var unreadFormat: UnreadFormat? {
            switch storage {
            case .entry(_, let entry) where entry.isEncrypted: .encryptedZip
            case .response(let response) where response.coding == .brotli: .brotli
            default: nil
            }
        }

        /// Whether it is an entry whose declared size is below that of any archive.
        package var isSmallerThanArchive: Bool {
            guard case .entry(_, let entry) = storage else { return false }
            return entry.size < ZipArchive.smallest
        }

        /// The number of bytes that may have been inflated before the member was refused.
        package func costOfRefusal(_ error: ZipError, _ limits: ZipLimits) -> Int {
            let size: Int
            switch storage {
            case .entry(_, let entry): size = entry.compressedSize
            case .compressed(let octets, _): size = octets.count
            default: return 0
            }
            switch error {
            case .encrypted, .unsupportedCompression, .file: return 0
            default:
                return min(
                    limits.entry, limits.ratioFloor + min(size, limits.entry) * limits.ratio)
            }
        }

        package func octets(limit: Int, spool: SpoolPolicy) throws(ZipError) -> SpooledBytes {
            switch storage {
            case .entry(let archive, let entry):
                return try archive.octets(of: entry, limit: limit, policy: spool)
            case .folder:
                // Its files are packed instead.
                return SpooledBytes([])
            case .octets(let octets):
                return octets
            case .attachment(let attachment):
                return try read(attachment.size, limit) { () throws(FileError) in
                    try attachment.body(spool)
                }
            case .encoded(let file):
                return try read(file.encodedCount, limit) { () throws(FileError) in
                    try file.body(spool)
                }
            case .response(let response):
                return try read(response.body.encodedCount, limit) { () throws(FileError) in
                    let body = try response.body.body(spool)
                    guard let format = response.format else { return body }
                    return try decompressed(body, format, limit, spool)
                }
            case .compressed(let octets, let format):
                return try read(octets.count, limit) { () throws(FileError) in
                    try decompressed(octets, format, limit, spool)
                }
            }
        }

        private func decompressed(
            _ octets: SpooledBytes, _ format: CompressionFormat, _ limit: Int, _ spool: SpoolPolicy
        ) throws(FileError) -> SpooledBytes? {
            let stream = Decompressor(ByteSource(octets), format)
            return try ByteSource(stream: stream).octets(limit: limit, spool)
        }

        private func read(
            _ size: Int, _ limit: Int, _ body: () throws(FileError) -> SpooledBytes?
        ) throws(ZipError) -> SpooledBytes {
            do throws(FileError) {
                if size <= limit, let octets = try body() { return octets }
            } catch {
                throw .file(error)
            }
            throw .entryTooLarge(name: name, limit: limit)
        }
    }
}

extension HTTPResponse {
    /// The format in which the body is compressed, unless its signature tells it.
    fileprivate var format: CompressionFormat? {
        switch coding {
        case .zlib: .zlib
        case .deflate: .deflate
        case .brotli, nil: nil
        }
    }
}
