internal import DesktopFiles
internal import Foundation
internal import PassPresentation
internal import PassSession
internal import Platform

/// The choice of this program as default application, as xdg-mime writes it.
struct DefaultChoice {
    /// The user's mimeapps.list.
    let file: SmallFile
    let before: String?
    /// The previous default application of each type that had one.
    let openedBefore: [String: String]
    private let environment: Environment
    private let after: [UInt8]

    var isNew: Bool { before.map { Array($0.utf8) } != after }

    /// Runs xdg-mime on a copy in a temporary folder: on the original it would write twice and
    /// replace a symbolic link by a file.
    init(_ environment: Environment) throws(Failure) {
        self.environment = environment
        file = SmallFile("\(environment.configFolder)/mimeapps.list")
        let present = try file.contents()
        before = present.flatMap { String(validating: $0, as: UTF8.self) }
        guard present == nil || before != nil else {
            throw .unreadable(file.path, reason: Phrase("it is not UTF-8"))
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-setup-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let draft = SmallFile("\(folder)/mimeapps.list")
        try draft.write(present ?? [])
        try DesktopTool.defaults.run(
            ["default", DesktopFile.openerName] + DesktopFile.openedTypes, in: environment,
            changing: ["XDG_CONFIG_HOME": folder])
        after = try draft.contents() ?? []
        var openedBefore: [String: String] = [:]
        for type in DesktopFile.openedTypes {
            let entry = try DefaultChoice.entry(for: type, environment)
            if !entry.isEmpty, entry != DesktopFile.openerName { openedBefore[type] = entry }
        }
        self.openedBefore = openedBefore
    }

    /// What to restore later. An earlier setup may have made the choice for some of the types, and
    /// the user may have chosen another program for others since.
    func record(after earlier: SetupRecord.Defaults?) -> SetupRecord.Defaults {
        guard let before, let earlier, earlier.path == file.path else {
            return SetupRecord.Defaults(path: file.path, before: before)
        }
        let list = DefaultApplications(before).undoing(
            DesktopFile.openerName, for: DesktopFile.openedTypes,
            before: earlier.before.map { DefaultApplications($0) })
        return SetupRecord.Defaults(path: file.path, before: list?.text)
    }

    package func set() throws(Failure) {
        if isNew { try file.write(after) }
    }

    /// Checks that the choice has effect: a desktop's own list, such as gnome-mimeapps.list, takes
    /// precedence.
    package func check() throws(Failure) {
        for type in DesktopFile.openedTypes {
            let entry = try DefaultChoice.entry(for: type, environment)
            guard entry == DesktopFile.openerName else {
                let reason =
                    entry.isEmpty
                    ? Phrase("nothing opens it")
                    : Phrase("it still opens with {name}", ["name": .text(entry)])
                throw .unwritable(type, reason: reason)
            }
        }
    }

    /// Checks that xdg-open knows a pass by its name. Outside a known desktop it asks `mimetype`, and
    /// without that `file`, which says application/zip.
    package func checkNames() throws(Failure) {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-setup-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pass = SmallFile("\(folder)/x.pkpass")
        // An empty archive.
        try pass.write(Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18))
        let type = try DesktopTool.defaults.run(
            ["query", "filetype", pass.path], in: environment)
        guard !DesktopFile.openedTypes.contains(type) else { return }
        let name = Phrase.Value.text(type)
        throw .unreadable(
            "xdg-open",
            reason: Program("mimetype", in: environment) == nil
                ? Phrase(
                    "it takes a pass for {type}: install mimetype (Debian: libfile-mimeinfo-perl)",
                    ["type": name])
                : Phrase("it takes a pass for {type}", ["type": name]))
    }

    private static func entry(for type: String, _ environment: Environment) throws(Failure)
        -> String
    {
        try DesktopTool.defaults.run(["query", "default", type], in: environment)
    }
}
