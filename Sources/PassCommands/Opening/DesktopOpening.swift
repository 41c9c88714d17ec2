internal import Bytes
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDetection
internal import PassPresentation

/// Opening passes for the desktop: somebody clicked on one, and there is no terminal to ask on.
struct DesktopOpening {
    let shell: Shell
    /// As they were given: paths need not be text.
    let files: [String]
    /// Options that hold for the window too.
    let options: [String]

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
        shell.console.problem(translated(viewer.replaceThisOne().description).escaped)
    }

    /// Copies what is to be opened, before anything else is done.
    ///
    /// - Parameter problem: Is told of what cannot be had, each as an escaped clause.
    func handOver(_ problem: (String) -> Void) throws -> OpenRequest {
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
                problem(error.description.escaped)
            }
        }
        var request = try OpenRequest(in: places.compactMap(\.self).filter { $0.hasPrefix("/") })
        for (target, file) in opened {
            do throws(FileError) {
                try request.copy(file, named: target.name, fileName: target.path?.name ?? "")
            } catch {
                problem("\(target.name): \(translated("\(error)"))".escaped)
            }
        }
        if urls.isEmpty { return request }
        for line in fetch(urls, into: request) { problem(line) }
        return try OpenRequest(at: request.folder)
    }

    /// Has another process of this program fetch, which is confined to that and can look into pages; gives
    /// back what cannot be had, as escaped clauses.
    private func fetch(_ urls: [WebURL], into request: OpenRequest) -> [String] {
        let words = options + ["--fetch-into", request.folder, "--"] + urls.map(\.text)
        guard let (lines, status) = lines(ofThisProgram: words) else {
            return ["passconduit: \(translated("it cannot be started"))"]
        }
        let problems = lines.filter { !$0.isEmpty }
        // Why, it said on the standard error.
        let isDone = status == ExitCode.done.rawValue
        return problems + (isDone ? [] : [localized("what is behind the URL could not be fetched")])
    }

    /// What another process prints that opens something, and its exit code. The viewer has no command for
    /// that.
    private func lines(ofThisProgram words: [String]) -> (lines: [String], status: CInt)? {
        guard var program = OtherProgram(besideThisOne: "passconduit") else { return nil }
        program.arguments = (["open"] + words).map { Array($0.utf8) }
        let (output, status) = program.output(limit: 1 << 16)
        let lines = String(streamSafe: output).split(
            separator: "\n", omittingEmptySubsequences: false)
        return (lines.map(String.init), status)
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
            throw FileError(.open, isFolder ? EISDIR : EINVAL)
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
    func openWindow(for request: OpenRequest, library: String) -> Bool {
        guard let own = CommandLine.programPath else { return false }
        // A terminal that runs already starts it in an environment of its own.
        let library = options.contains("--library") ? [] : ["--library", library]
        let command = [own, "open"] + options + library + ["--handed-over", request.folder]
        var patience = TerminalWindow.patience
        for window in TerminalWindow.all(in: shell.environment) {
            switch window.open(command, for: request, within: &patience) {
            case .taken: return true
            case .failed: continue
            case .interrupted(let ending):
                request.remove()
                // As if this program had not looked at the signal.
                raise(ending)
            }
        }
        return false
    }

    /// What the desktop is told about what was handed over. Another process of this program reads it,
    /// which is confined to that: this one has windows to open.
    func notice(of request: OpenRequest) -> DesktopNotice {
        let words = options + ["--notice", request.folder]
        guard let (lines, status) = lines(ofThisProgram: words) else {
            return DesktopNotice(lines: [], .unreadable)
        }
        var notice = DesktopNotice(lines: lines, ExitCode(rawValue: status) ?? .unreadable)
        notice.advice += withheldSecrets(of: notice.advice, files, in: shell)
        return notice
    }
}
