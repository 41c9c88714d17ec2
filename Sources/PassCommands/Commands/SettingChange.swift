internal import ArgumentParser
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassStore

/// The options of `update` that change a setting instead of asking issuers.
enum SettingChange: String, EnumerableFlag {
    case off, on, mute, unmute

    static func help(for change: SettingChange) -> ArgumentHelp? {
        switch change {
        case .off: "Turn automatic updates of these passes off; without names, of all passes."
        case .on: "Turn automatic updates on again."
        case .mute: "Turn desktop notifications about these passes off."
        case .unmute: "Turn notifications about these passes on again."
        }
    }

    private var setting: PassSetting {
        switch self {
        case .off, .on: .updatesAutomatically
        case .mute, .unmute: .showsNotifications
        }
    }

    private var isOn: Bool {
        switch self {
        case .off, .mute: false
        case .on, .unmute: true
        }
    }

    /// Whether the option needs the names of passes.
    var needsNames: Bool { setting == .showsNotifications }

    private var result: String {
        switch self {
        case .off: localized("updates off")
        case .on: localized("updates on")
        case .mute: localized("notifications off")
        case .unmute: localized("notifications on")
        }
    }

    /// Changes the setting of passes, or of the whole library if none is named, and prints the
    /// result.
    func run(
        on ids: [String], of place: LibraryArguments, _ trust: TrustArguments, json: Bool,
        in shell: Shell
    ) throws -> ExitCode {
        let anchors = try trust.anchors(in: shell.session)
        try shell.session.confine(library: place.folder(in: shell.session))
        let library = try place.library(for: .changing, in: shell.session)
        let console = shell.console
        if ids.isEmpty {
            try library.setUpdatesAutomatically(isOn)
            let allPasses = localized("all passes")
            let line =
                try json
                ? jsonLine(LibrarySettingsRecord(automaticUpdates: isOn), on: console.output)
                : "\(result)  \(allPasses)"
            try console.print(line)
            return .done
        }
        // Resolve all names before changing anything.
        let passes = try ids.map { try library.pass(named: $0).identity }
        for pass in try library.set(setting, to: isOn, of: passes) {
            let line =
                try json
                ? jsonLine(
                    LibraryPassRecord(pass, isVouchedFor: pass.isVouchedFor(by: anchors)),
                    on: console.output)
                : [
                    result, styleInColumn(pass.current.style),
                    clipped(pass.current.headline.escaped, to: 80),
                    pass.identity.description.escaped,
                ].joined(separator: "  ")
            try console.print(line)
        }
        return .done
    }
}
