internal import ArgumentParser
internal import DesktopIntegration
internal import Glibc
internal import PassPresentation
internal import PassSession
internal import Platform

/// `passconduit setup`: makes this program the default application for passes.
struct Setup: Verb {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Open passes with passconduit on your desktop, or stop doing so.",
        discussion: """
            Sets up the desktop of the current user: writes desktop entries, the media types of \
            passes and icons to your data folder, unless they are installed system-wide, and makes \
            passconduit the default program for .pkpass and .pkpasses files and for passconduit: \
            URLs, by which other programs show a pass of the library. If passconduit-viewer is \
            installed, the menu of applications shows the library as Passconduit. Each step is \
            printed. The command can be run again at any time.

            --remove undoes this and nothing else: files that you changed since are kept and \
            named, and the previous default program is restored. The steps to undo are recorded in \
            $XDG_STATE_HOME/passconduit/setup.json (~/.local/state/passconduit/setup.json).

            Requires update-mime-database, update-desktop-database and xdg-mime (Debian: \
            shared-mime-info, desktop-file-utils, xdg-utils). If one is missing, the other steps \
            are done and the exit code is 2. So it is if xdg-open does not know passes by their \
            names: outside GNOME, KDE and other known desktops it needs mimetype (Debian: \
            libfile-mimeinfo-perl).

            EXAMPLES
              passconduit setup --dry-run    what would be done?
              passconduit setup
              passconduit setup --mailcap    for mutt and other mail programs, too
              passconduit setup --remove
            """)

    @Flag(help: "Add lines for passes to ~/.mailcap, which mail programs read.")
    var mailcap = false

    @Flag(help: "Undo the setup.")
    var remove = false

    @Flag(name: .customLong("dry-run"), help: "Print what would be done, and change nothing.")
    var isPlan = false

    func validate() throws {
        if remove && mailcap {
            throw ValidationError(
                "--remove undoes all that was set up: --mailcap adds nothing to it")
        }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let report = remove ? try removed(in: shell) : try registered(in: shell)
        for line in report.lines { try shell.console.print(line.escaped) }
        for problem in report.problems { shell.console.problem(problem.phrase.localized.escaped) }
        return report.problems.isEmpty ? .done : .unreadable
    }

    private func registered(in shell: Shell) throws -> SetupReport {
        let environment = shell.environment
        guard let own = CommandLine.programPath else {
            throw Failure.unreadable(
                "/proc/self/exe", reason: Phrase("it does not point to the program"))
        }
        let viewer = Program.viewer(in: environment).map {
            NamedProgram(Program.viewerName, at: $0.path, in: environment)
        }
        var registration = try Registration(
            environment, program: NamedProgram("passconduit", at: own, in: environment),
            viewer: viewer, isPlan: isPlan)
        try registration.run(withMailcap: mailcap)
        return registration.report
    }

    private func removed(in shell: Shell) throws -> SetupReport {
        var unregistration = try Unregistration(shell.environment, isPlan: isPlan)
        try unregistration.run()
        return unregistration.report
    }
}
