internal import Bytes
internal import Foundation
internal import Glibc
internal import MIME
internal import MailSource
internal import PassDetection
internal import PassImport
internal import PassStore

/// Opening passes for the desktop: somebody clicked on one, and there is no terminal to ask on.
struct DesktopOpening {
    let shell: Shell
    /// As they were given: paths need not be text.
    let files: [String]
    /// Options that hold for the window too.
    let options: [String]
    let fetching: FetchArguments

    static func isPossible(in environment: Environment) -> Bool {
        environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil
    }

    /// Whether a program of the desktop started this one, as GIO tells what it starts. It may run in a
    /// terminal itself, where nobody looks while they click.
    static func isAsked(in environment: Environment) -> Bool {
        isPossible(in: environment)
            && environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == String(getpid())
    }

    /// Becomes the viewer, where it is installed. It reads the files as soon as this could.
    func startViewer() {
        let name = "passconduit-viewer"
        guard
            var viewer = OtherProgram(besideThisOne: name)
                ?? OtherProgram(name, in: shell.environment)
        else { return }
        viewer.arguments =
            (options + ["--"]).map { Array($0.utf8) } + files.map { shell.path($0).bytes }
        shell.console.problem(viewer.replaceThisOne().description.escaped)
    }

    /// Copies what is to be opened, before anything else is done.
    func handOver(_ refused: (Failure) -> Void) async throws -> Handover {
        let places = [shell.environment["XDG_RUNTIME_DIR"], shell.environment["TMPDIR"], "/tmp"]
        var opened: [(OpenTarget, FileDescriptor)] = []
        defer { for (_, file) in opened where file.number != STDIN_FILENO { file.close() } }
        var urls: [WebURL] = []
        for file in files {
            do throws(Failure) {
                let target = try OpenTarget(file, in: shell)
                if let url = target.url {
                    urls.append(url)
                } else {
                    opened.append((target, try descriptor(of: target)))
                }
            } catch {
                refused(error)
            }
        }
        var handover = try Handover(in: places.compactMap(\.self).filter { $0.hasPrefix("/") })
        for (target, file) in opened {
            do throws(FileError) {
                try handover.copy(file, named: target.name, fileName: target.path?.name ?? "")
            } catch {
                refused(.unreadable(target.name, reason: error.description))
            }
        }
        for failure in try await fetch(urls, into: &handover) { refused(failure) }
        return handover
    }

    /// Fetches, and hands over without a look at it: this process can do too much.
    private func fetch(
        _ urls: [WebURL], into handover: inout Handover
    ) async throws -> [Failure] {
        guard !urls.isEmpty else { return [] }
        var copies = handover
        var failures: [Failure] = []
        let session = try FetchSession(fetching, in: nil, shell)
        defer { session.end() }
        let reading = FetchedSources.Reading(
            options: nil,
            read: { file, _ in
                guard case .file(let path) = file.content else { return FetchedContents() }
                let descriptor = try open(path, O_RDONLY)
                defer { descriptor.close() }
                let isPass = !TypeMap.builtIn.evidence(file.header).isEmpty
                let name = isPass ? ".pkpass" : file.header.names.first ?? ""
                try copies.copy(descriptor, named: file.source, fileName: name)
                return FetchedContents(isUnknown: true)
            },
            report: { problem in
                failures.append(.unreadable(problem.source, reason: problem.detail))
            })
        try await session.begin(nil).read(urls.map { DownloadRequest(url: $0.text) }, reading)
        handover = copies
        return failures
    }

    private func descriptor(of target: OpenTarget) throws(Failure) -> FileDescriptor {
        if case .data(let url, _) = target.word { return try file(holding: url.body) }
        guard let path = target.path else { return FileDescriptor(STDIN_FILENO) }
        do throws(FileError) {
            // Without O_NONBLOCK a FIFO would be waited for.
            let file = try open(path, O_RDONLY | O_NONBLOCK)
            var status = stat()
            let isKnown = unsafe fstat(file.number, &status) == 0
            if isKnown, status.st_mode & S_IFMT == S_IFREG { return file }
            file.close()
            let isFolder = isKnown && status.st_mode & S_IFMT == S_IFDIR
            throw FileError(operation: "open", code: isFolder ? EISDIR : EINVAL)
        } catch {
            throw .unreadable(target.name, reason: error.description)
        }
    }

    private func file(holding bytes: [UInt8]) throws(Failure) -> FileDescriptor {
        do throws(FileError) {
            let file = try FileDescriptor.temporary(inOneOf: SpoolPolicy().directories)
            try file.writeAll(bytes.span)
            _ = lseek(file.number, 0, SEEK_SET)
            return file
        } catch {
            throw .unreadable("the URL", reason: error.description)
        }
    }

    var hasTerminal: Bool { !TerminalWindow.all(in: shell.environment).isEmpty }

    /// Opens a window with the question in it; false where none can be had.
    func openWindow(for handover: Handover, library: String) -> Bool {
        guard let own = CommandLine.programPath else { return false }
        // A terminal that runs already starts it in an environment of its own.
        let library = options.contains("--library") ? [] : ["--library", library]
        let command = [own, "open"] + options + library + ["--handed-over", handover.folder]
        var patience = TerminalWindow.patience
        for window in TerminalWindow.all(in: shell.environment) {
            switch window.open(command, for: handover, within: &patience) {
            case .taken: return true
            case .failed: continue
            case .interrupted(let ending):
                handover.remove()
                // As if this program had not looked at the signal.
                raise(ending)
            }
        }
        return false
    }

    /// What the desktop is told about what was handed over. Another process of this program reads it,
    /// which is confined to that: this one has windows to open.
    func notice(of handover: Handover) -> DesktopNotice {
        guard let own = CommandLine.programPath,
            var reader = OtherProgram(own, in: shell.environment)
        else { return DesktopNotice(lines: [], .unreadable) }
        let words = ["open"] + options + ["--notice", handover.folder]
        reader.arguments = words.map { Array($0.utf8) }
        let (output, status) = reader.output(limit: 1 << 16)
        let lines = String(decoding: output, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        return DesktopNotice(
            lines: lines.map(String.init), ExitCode(rawValue: status) ?? .unreadable)
    }
}
