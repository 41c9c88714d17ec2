internal import ArgumentParser
internal import Logging

/// The options for the log.
struct LogArguments: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    /// There is no trace level: at that level, libraries log the data that they receive, which
    /// contains tokens.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case debug, info, notice, warning, error

        var level: Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        }
    }

    @Option(help: ArgumentHelp("The form of the log lines: text or json.", valueName: "form"))
    var log = Form.text

    @Option(
        help: ArgumentHelp(
            "The least severe log lines: debug, info, notice, warning or error.",
            valueName: "level"))
    var logLevel = Level.info

    func logger(in shell: ServiceShell) -> Logger {
        Logger(label: "passconduit-serve") { [log, logLevel] _ in
            LogWriter(shell, isJSON: log == .json, level: logLevel.level)
        }
    }
}
