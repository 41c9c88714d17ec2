internal import Bytes
internal import Glibc
internal import MIME
internal import MailSource
internal import PassDetection
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform

extension OpenRequest {
    /// Fetches URLs and copies the results; for a web page, those of its links.
    ///
    /// - Parameters:
    ///   - options: Options to examine pages.
    ///   - problem: Called with an escaped clause for each failure.
    mutating func fetch(
        _ urls: [WebURL], _ fetched: FetchedSources, _ options: ImportOptions,
        problem: @escaping (String) throws -> Void
    ) async throws {
        var copies = self
        let consumer = FetchedSources.Consumer(
            options: options,
            read: { file, _ in
                if let error = copies.take(file, options.spool) {
                    try problem("\(file.source): \(error.phrase.localized)".escaped)
                }
                return FetchedContents(isUnknown: true)
            },
            report: { try problem("\($0.source): \($0.phrase.localized)".escaped) })
        try await fetched.read(urls.map { DownloadRequest(url: $0.text) }, consumer)
        self = copies
    }

    /// - Returns: The error if the file could not be copied.
    private mutating func take(_ file: DownloadedFile, _ spool: SpoolPolicy) -> FileError? {
        let isPass = TypeMap.builtIn.declaration(file.header).isClaim
        let name = isPass ? ".pkpass" : file.header.names.first ?? ""
        do throws(FileError) {
            let descriptor = try file.opened(in: spool)
            defer { descriptor.close() }
            try copy(descriptor, named: file.source, fileName: name)
            return nil
        } catch {
            return error
        }
    }
}

extension DownloadedFile {
    /// Opens the content at its start.
    fileprivate func opened(in spool: SpoolPolicy) throws(FileError) -> FileDescriptor {
        switch content {
        case .file(let path): return try open(path, O_RDONLY)
        case .octets(let octets):
            let file = try FileDescriptor.temporary(inOneOf: spool.directories)
            let bytes = try octets.array()
            try file.writeAll(bytes.span)
            _ = lseek(file.number, 0, SEEK_SET)
            return file
        }
    }
}
