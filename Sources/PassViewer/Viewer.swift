package import ArgumentParser
internal import CGTK
internal import Foundation
internal import Glibc
internal import Localization
internal import PassPresentation
internal import PassSession
internal import Platform

/// The command line of the viewer.
package struct Viewer: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "passconduit-viewer",
        abstract: "Show passes in windows, and the library of them.",
        discussion: """
            `passconduit open` starts this program if there is a display. It shows each pass with its \
            verdict and offers to add it. Without files, it shows the library, and for a URL \
            passconduit:pass/TYPE/SERIAL the library with this pass selected.

            EXAMPLES
              passconduit-viewer
              passconduit-viewer ticket.pkpass
              passconduit-viewer passconduit:pass/pass.com.example.boarding/0001

            EXIT CODES
              As those of `passconduit open`.
            """,
        version: Release.version.description)

    @OptionGroup var arguments: WindowArguments

    package init() {}

    /// Runs the program and ends the process.
    @MainActor
    package static func run() -> Never {
        FileDescriptor.fillClosedStreams()
        signal(SIGPIPE, SIG_IGN)
        let arguments: WindowArguments
        let session: WindowSession
        do {
            arguments = parseOrExit().arguments
            session = try WindowSession(
                arguments, in: Environment(ProcessInfo.processInfo.environment))
        } catch {
            complain(error.phrase.localized.escaped)
        }
        // Start reading before the window opens; it needs no display.
        let (stored, files) = session.divided(arguments.files)
        let reading = files.isEmpty ? nil : OpenedFiles(files, in: session)
        Catalogue.takeLocale()
        Environment(ProcessInfo.processInfo.environment).catalogue(arguments.wantedLanguage)?.use()
        session.displayLocale.useForDates()
        // The class of the windows, by which desktops find the desktop entry and its icon.
        unsafe g_set_prgname(Application.id)
        unsafe g_set_application_name("Passconduit")
        // GTK would set the locale again.
        gtk_disable_setlocale()
        guard gtk_init_check() != 0 else { complain(localized("there is no display for windows")) }
        let application = Application(session)
        Glibc.exit(application.run(showing: reading, stored).rawValue)
    }

    private static func complain(_ clause: String) -> Never {
        report(clause)
        Glibc.exit(PassSession.ExitCode.unreadable.rawValue)
    }

    /// Writes an escaped clause to standard error, for errors that no window shows.
    static func report(_ clause: String) {
        try? FileHandle.standardError.write(contentsOf: Data("passconduit: \(clause)\n".utf8))
    }
}
