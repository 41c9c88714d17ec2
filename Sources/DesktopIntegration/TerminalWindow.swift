internal import Bytes
internal import Glibc
package import PassSession
internal import Synchronization

/// A terminal window with a command in it.
package struct TerminalWindow {
    private let terminal: OtherProgram
    private let words: [String]

    /// The terminals that there are, the one that the person likes best first.
    package static func all(in environment: Environment) -> [TerminalWindow] {
        // People set options in it too, as in `kitty --single-instance`.
        let own = (environment["TERMINAL"] ?? "").split(separator: " ").map(String.init)
        let known = TerminalWindow.known.map { [$0.name] }
        return ([own] + known).compactMap { words in
            guard let name = words.first, let program = OtherProgram(name, in: environment) else {
                return nil
            }
            let plain = name.split(separator: "/").last.map(String.init) ?? name
            let option = TerminalWindow.known.first { $0.name == plain }?.option ?? "-e"
            return TerminalWindow(
                terminal: program,
                words: words.dropFirst() + (option.isEmpty ? [] : [option]))
        }
    }

    /// What comes before a command with its arguments. `-e` of some takes one line for a shell instead.
    private static let known = [
        // https://gitlab.freedesktop.org/terminal-wg/specifications: the desktop's choice.
        (name: "xdg-terminal-exec", option: ""),
        // Debian Policy, 11.8.3: the system's.
        (name: "x-terminal-emulator", option: "-e"),
        (name: "gnome-terminal", option: "--"), (name: "ptyxis", option: "--"),
        (name: "kgx", option: "--"), (name: "konsole", option: "-e"),
        (name: "xfce4-terminal", option: "-x"), (name: "mate-terminal", option: "-x"),
        (name: "foot", option: ""), (name: "kitty", option: ""), (name: "wezterm", option: "-e"),
        (name: "alacritty", option: "-e"), (name: "xterm", option: "-e"),
    ]

    /// What became of a window that was to take what was handed over.
    package enum Launch {
        case taken, failed
        /// By a signal to this program.
        case interrupted(CInt)
    }

    private static let endings = [SIGINT, SIGTERM, SIGHUP]
    /// In twentieths of a second: how long all terminals together may take that have ended and handed
    /// the command to another process of theirs.
    package static let patience = 600
    /// Of it, how much is for one that ended within a second, and for one that did not.
    private static let share = (brief: 100, long: 300)

    /// Opens the window, and waits until the command in it has taken what was handed over.
    package func open(
        _ command: [String], for request: OpenRequest, within patience: inout Int
    ) -> Launch {
        var program = terminal
        program.arguments = (words + command).map { Array($0.utf8) }
        guard let process = try? program.start() else { return .failed }
        for ending in TerminalWindow.endings {
            signal(ending) { endingSignal.store($0, ordering: .relaxed) }
        }
        // Who started this program may have had them blocked.
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
                var status: CInt = 0
                isRunning = unsafe waitpid(process, &status, WNOHANG) == 0
                if !isRunning, status != 0 { return request.isTaken ? .taken : .failed }
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

/// The signal that asked this program to end; 0 for none. A signal finds it whatever thread it meets.
private let endingSignal = Atomic<CInt>(0)
