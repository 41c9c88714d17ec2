internal import Bytes
internal import Foundation
internal import Glibc
internal import MailSource
internal import PassImport
internal import PassVerification

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
    func handOver(_ refused: (Failure) -> Void) throws -> Handover {
        let places = [shell.environment["XDG_RUNTIME_DIR"], shell.environment["TMPDIR"], "/tmp"]
        var opened: [(OpenTarget, FileDescriptor)] = []
        defer { for (_, file) in opened where file.number != STDIN_FILENO { file.close() } }
        for file in files {
            do throws(Failure) {
                let target = try OpenTarget(file, in: shell)
                opened.append((target, try descriptor(of: target)))
            } catch {
                refused(error)
            }
        }
        var handover = try Handover(in: places.compactMap(\.self).filter { $0.hasPrefix("/") })
        for (target, file) in opened {
            do throws(FileError) {
                try handover.copy(file, of: target)
            } catch {
                refused(.unreadable(target.name, reason: error.description))
            }
        }
        return handover
    }

    private func descriptor(of target: OpenTarget) throws(Failure) -> FileDescriptor {
        guard let path = target.path else { return FileDescriptor(STDIN_FILENO) }
        do throws(FileError) {
            return try open(path, O_RDONLY)
        } catch {
            throw .unreadable(target.name, reason: error.description)
        }
    }

    var hasTerminal: Bool { !TerminalWindow.all(in: shell.environment).isEmpty }

    /// Opens a window with the question in it; false where none can be had.
    func openWindow(for handover: Handover) -> Bool {
        guard let own = OtherProgram.own else { return false }
        let command = [own, "open"] + options + ["--handed-over", handover.folder]
        for window in TerminalWindow.all(in: shell.environment) {
            switch window.open(command, for: handover) {
            case .taken: return true
            case .failed: continue
            case .interrupted(let ending):
                handover.remove()
                end(by: ending)
            }
        }
        return false
    }

    /// As if this program had not looked at the signal.
    private func end(by ending: CInt) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, ending)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(ending)
    }

    /// What passes these are, and how to go on.
    func notify(of opened: OpenedPasses, _ reader: Reader, ending: String) {
        var lines = opened.passes.prefix(4).map { found in
            let verification = found.verification
            let name = verification.pass.map(reader.headline) ?? "a file"
            let reason = verification.reasons.first.map { " (\($0.detail))" } ?? ""
            return "\(verification.verdict.rawValue): \(name)\(reason)"
        }
        if opened.passes.count > 4 { lines.append("and \(opened.passes.count - 4) more") }
        lines += opened.problems.prefix(4)
        if !ending.isEmpty { lines.append(ending) }
        DesktopNotification(title: title(of: opened), lines: lines).show(in: shell.environment)
    }

    /// Our own words alone: a title cannot be told from a pass's text otherwise.
    private func title(of opened: OpenedPasses) -> String {
        if opened.passes.isEmpty { return "No pass could be read" }
        if opened.passes.count > 1 { return "\(opened.passes.count) passes" }
        return switch opened.passes[0].verification.verdict {
        case .trusted: "A trusted pass"
        case .untrusted: "A pass that is not trusted"
        case .unsigned: "A pass that nobody signed"
        case .tampered: "A pass that was tampered with"
        case .malformed: "Not a pass"
        }
    }
}
