internal import Bytes
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassImport
internal import PassLinks
internal import PassPresentation
internal import Platform

/// Hands files and the content of URLs over to another process, as copies.
package struct OpenRequestBuilder {
    private let session: Session
    /// As given; paths need not be valid text.
    private let files: [String]
    /// The library whose passes are opened by their URLs.
    private let place: LibraryArguments
    /// Options that the other process gets as well.
    private let options: [String]

    package init(
        session: Session, files: [String], place: LibraryArguments, options: [String]
    ) {
        self.session = session
        self.files = files
        self.place = place
        self.options = options
    }

    /// Copies the files and fetches the URLs.
    ///
    /// - Parameter problem: Called with an escaped clause for each one that cannot be read.
    package func build(_ problem: (String) -> Void) throws -> OpenRequest {
        let places = [
            session.environment["XDG_RUNTIME_DIR"], session.environment["TMPDIR"], "/tmp",
        ]
        var opened: [(OpenTarget, FileDescriptor)] = []
        defer { for (_, file) in opened where file.number != STDIN_FILENO { file.close() } }
        var urls: [WebURL] = []
        for file in files {
            do throws(Failure) {
                let target = try found(OpenTarget(file, in: session))
                if let url = target.url {
                    urls.append(url)
                } else {
                    opened.append((target, try descriptor(of: target)))
                }
            } catch {
                problem(error.phrase.localized.escaped)
            }
        }
        var request = try OpenRequest(in: places.compactMap(\.self).filter { $0.hasPrefix("/") })
        for (target, file) in opened {
            do throws(FileError) {
                try request.copy(file, named: target.name, fileName: target.path?.name ?? "")
            } catch {
                problem("\(target.name): \(error.phrase.localized)".escaped)
            }
        }
        if urls.isEmpty { return request }
        for line in fetch(urls, into: request) { problem(line) }
        return try OpenRequest(at: request.folder)
    }

    /// Fetches URLs in another, confined process of this program that also follows links in pages.
    /// Returns errors as escaped clauses.
    private func fetch(_ urls: [WebURL], into request: OpenRequest) -> [String] {
        let words = options + ["--fetch-into", request.folder, "--"] + urls.map(\.text)
        guard let (lines, status) = lines(ofThisProgram: words) else {
            return ["passconduit: \(localized("cannot be started"))"]
        }
        let problems = lines.filter { !$0.isEmpty }
        // The process has printed the reason to standard error.
        let isDone = status == ExitCode.done.rawValue
        return problems + (isDone ? [] : [localized("the URL could not be fetched")])
    }

    /// Runs `passconduit open` in another process, for the viewer, which has no commands. Returns
    /// its output lines and its exit code.
    package func lines(ofThisProgram words: [String]) -> (lines: [String], status: CInt)? {
        guard var program = Program(besideThisOne: "passconduit") else { return nil }
        program.arguments = (["open"] + words).map { Array($0.utf8) }
        guard let (output, status) = try? program.output(limit: 1 << 16) else { return nil }
        let lines = String(streamSafe: output).split(
            separator: "\n", omittingEmptySubsequences: false)
        return (lines.map(String.init), status?.code ?? -1)
    }

    /// The stored file for a passURL; other targets are returned unchanged.
    private func found(_ target: OpenTarget) throws(Failure) -> OpenTarget {
        guard let pass = target.stored else { return target }
        return OpenTarget(.path(try place.file(of: pass, in: session)))
    }

    private func descriptor(of target: OpenTarget) throws(Failure) -> FileDescriptor {
        if case .data(let url, _) = target.word { return try file(holding: url.body) }
        guard let path = target.path else { return FileDescriptor(STDIN_FILENO) }
        let pass: [UInt8]
        do throws(FileError) {
            // Without O_NONBLOCK, opening a FIFO blocks.
            let file = try open(path, O_RDONLY | O_NONBLOCK)
            var status = stat()
            let isKnown = unsafe fstat(file.number, &status) == 0
            if isKnown, status.st_mode & S_IFMT == S_IFREG { return file }
            file.close()
            let isFolder = isKnown && status.st_mode & S_IFMT == S_IFDIR
            var code: CInt = 0
            guard isFolder, DirectoryNames(of: path, code: &code).areUnpackedPass(in: path) else {
                throw FileError(.open, isFolder ? EISDIR : EINVAL)
            }
            pass = try UnpackedPass.packed(path).array()
        } catch {
            throw .unreadable(target.name, reason: error.phrase)
        }
        return try file(holding: pass)
    }

    private func file(holding bytes: [UInt8]) throws(Failure) -> FileDescriptor {
        do throws(FileError) {
            let file = try FileDescriptor.temporary(inOneOf: SpoolPolicy().directories)
            try file.writeAll(bytes.span)
            _ = lseek(file.number, 0, SEEK_SET)
            return file
        } catch {
            throw .unreadable("the URL", reason: error.phrase)
        }
    }
}
