internal import Bytes
internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDetection
internal import PassPresentation
internal import PassSession

/// Opening passes for the desktop: somebody clicked on one, and there is no terminal to ask on.
struct DesktopOpening {
    let shell: Shell
    /// As they were given: paths need not be text.
    let files: [String]
    /// Options that hold for the window too.
    let options: [String]

    /// The copies of the files, for another process.
    var handover: Handover { Handover(session: shell.session, files: files, options: options) }

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
            (options + ["--"]).map { Array($0.utf8) } + files.map { shell.session.path($0).bytes }
        shell.console.problem(translated(viewer.replaceThisOne().description).escaped)
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
        guard let (lines, status) = handover.lines(ofThisProgram: words) else {
            return DesktopNotice(lines: [], .unreadable)
        }
        var notice = DesktopNotice(lines: lines, ExitCode(rawValue: status) ?? .unreadable)
        notice.advice += withheldSecrets(of: notice.advice, files, in: shell.session)
        return notice
    }
}
