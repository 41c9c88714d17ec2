internal import Bytes
internal import Glibc
package import PassSession
internal import Platform
internal import Synchronization

/// A terminal emulator that can run a command in a window.
package struct TerminalWindow {
    private let terminal: Program
    private let words: [String]

    /// The installed terminals, the user's preferred one first.
    package static func all(in environment: Environment) -> [TerminalWindow] {
        // TERMINAL may contain options, as in `kitty --single-instance`.
        let own = (environment["TERMINAL"] ?? "").split(separator: " ").map(String.init)
        let known = TerminalWindow.known.map { [$0.name] }
        return ([own] + known).compactMap { words in
            guard let name = words.first, let program = Program(name, in: environment) else {
                return nil
            }
            let plain = name.split(separator: "/").last.map(String.init) ?? name
            let option = TerminalWindow.known.first { $0.name == plain }?.option ?? "-e"
            return TerminalWindow(
                terminal: program,
                words: words.dropFirst() + (option.isEmpty ? [] : [option]))
        }
    }

    /// The option before a command and its arguments. In some terminals `-e` takes a shell command
    /// instead.
    private static let known = [
        // The desktop's choice: https://gitlab.freedesktop.org/terminal-wg/specifications.
        (name: "xdg-terminal-exec", option: ""),
        // The system's choice: Debian Policy, 11.8.3.
        (name: "x-terminal-emulator", option: "-e"),
        (name: "gnome-terminal", option: "--"), (name: "ptyxis", option: "--"),
        (name: "kgx", option: "--"), (name: "konsole", option: "-e"),
        (name: "xfce4-terminal", option: "-x"), (name: "mate-terminal", option: "-x"),
        (name: "foot", option: ""), (name: "kitty", option: ""), (name: "wezterm", option: "-e"),
        (name: "alacritty", option: "-e"), (name: "xterm", option: "-e"),
    ]

    /// Result of opening a window for copies of files.
    package enum Launch {
        case taken, failed
        /// This program got a signal.
        case interrupted(CInt)
    }

    private static let endings = [SIGINT, SIGTERM, SIGHUP]
    /// In twentieths of a second: total time for all terminals whose process exits because another
    /// process opens the window.
    package static let patience = 600
    /// The part of that time for a terminal that exited within a second, and for one that ran
    /// longer.
    private static let share = (brief: 100, long: 300)

    /// Opens a window and waits until its command has taken the copies.
    package func open(
        _ command: [String], for request: OpenRequest, within patience: inout Int
    ) -> Launch {
        var program = terminal
        program.arguments = (words + command).map { Array($0.utf8) }
        guard let process = try? program.start() else { return .failed }
        for ending in TerminalWindow.endings {
            signal(ending) { endingSignal.store($0, ordering: .relaxed) }
        }
        // The parent process may have blocked them.
        var endings = sigset_t()
        unsafe sigemptyset(&endings)
        for ending in TerminalWindow.endings { unsafe sigaddset(&endings, ending) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &endings, nil)
        defer { for ending in TerminalWindow.endings { signal(ending, SIG_DFL) } }
        var isRunning = true
        var turns = 0
        var left = 0
        while !request.isTaken {
            let ending = endingSignal.load(ordering: .relaxed)
            if ending != 0 { return .interrupted(ending) }
            if isRunning {
                if case .ended(let status) = process.wait(until: .after(.zero)) {
                    isRunning = false
                    if let status, status.code != 0 { return request.isTaken ? .taken : .failed }
                }
                let share = TerminalWindow.share
                left = min(patience, turns < 20 ? share.brief : share.long)
                turns += 1
            } else {
                if left <= 0 { return .failed }
                left -= 1
                patience -= 1
            }
            usleep(50_000)
        }
        return .taken
    }
}

/// The signal that asked this program to end; 0 for none. Atomic because any thread may get it.
private let endingSignal = Atomic<CInt>(0)
