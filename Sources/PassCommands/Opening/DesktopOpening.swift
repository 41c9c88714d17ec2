internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassPresentation
internal import PassSession
internal import Platform

/// Opens passes for the desktop, which has no terminal for questions.
struct DesktopOpening {
    let shell: Shell
    /// As given; paths need not be valid text.
    let files: [String]
    let place: LibraryArguments
    /// Options for the window's process too.
    let options: [String]

    /// Copies the files for another process.
    var builder: OpenRequestBuilder {
        OpenRequestBuilder(session: shell.session, files: files, place: place, options: options)
    }

    static func isPossible(in environment: Environment) -> Bool {
        environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil
    }

    /// Whether a desktop program started this one, which GIO records in the environment. A terminal
    /// may exist even so, but the user does not look at it.
    static func isAsked(in environment: Environment) -> Bool {
        isPossible(in: environment)
            && environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == String(getpid())
    }

    /// Replaces this process with the viewer, if it is installed. The viewer reads the files
    /// itself.
    func startViewer() {
        guard var viewer = Program.viewer(in: shell.environment) else { return }
        viewer.arguments =
            (options + ["--"]).map { Array($0.utf8) } + files.map { shell.session.path($0).bytes }
        shell.console.problem(viewer.replaceThisOne().phrase.localized.escaped)
    }

    var hasTerminal: Bool { !TerminalWindow.all(in: shell.environment).isEmpty }

    /// Opens a terminal window that asks the question; returns false if that fails.
    func openWindow(for request: OpenRequest, library: String) -> Bool {
        guard let own = CommandLine.programPath else { return false }
        // A terminal that is already running does not pass on this environment.
        let library = options.contains("--library") ? [] : ["--library", library]
        let command = [own, "open"] + options + library + ["--handed-over", request.folder]
        var patience = TerminalWindow.patience
        for window in TerminalWindow.all(in: shell.environment) {
            switch window.open(command, for: request, within: &patience) {
            case .taken: return true
            case .failed: continue
            case .interrupted(let ending):
                request.remove()
                // End as if the signal had not been caught.
                raise(ending)
            }
        }
        return false
    }

    /// The notification about the copies. Another, confined process reads them, since this one
    /// needs the right to open windows.
    func notice(of request: OpenRequest) -> DesktopNotice {
        let words = options + ["--notice", request.folder]
        guard let (lines, status) = builder.lines(ofThisProgram: words) else {
            return DesktopNotice(lines: [], .unreadable)
        }
        var notice = DesktopNotice(lines: lines, ExitCode(rawValue: status) ?? .unreadable)
        notice.advice += withheldSecrets(of: notice.advice, files, in: shell.session)
        return notice
    }
}
