internal import Cryptography
internal import DesktopFiles
internal import Foundation
internal import Glibc
internal import Localization
package import PassSession

/// Undoes what setup recorded. Anything changed since is kept and reported.
package struct Unregistration {
    package let environment: Environment
    package let record: SetupRecord
    package var report: SetupReport

    package init(_ environment: Environment, isPlan: Bool) throws(Failure) {
        self.environment = environment
        record = try SetupRecord.read(in: environment)
        report = SetupReport(isPlan: isPlan)
    }

    /// The record is removed last, and only if nothing failed, so that the command can be repeated.
    package mutating func run() throws(Failure) {
        guard !record.isEmpty else {
            report.addNothing(localized("nothing to undo"))
            if !report.isPlan { try removeRecord() }
            return
        }
        if let defaults = record.defaults { restore(defaults) }
        if let mailcap = record.mailcap { take(mailcap) }
        for (path, digests) in record.files.sorted(by: { $0.key < $1.key }) {
            remove(path, digests)
        }
        let data = environment.dataFolder
        if record.files["\(data)/\(DesktopFile.types.place)"] != nil {
            MimeDatabase(environment).forget(record.generated, &report)
        }
        if record.files["\(data)/\(DesktopFile.opener.place)"] != nil {
            EntryDatabase(environment).forget(record.generated, &report)
        }
        guard !report.isPlan else { return }
        touchIcons(in: environment)
        guard report.problems.isEmpty else { return }
        removeFolders(except: SetupRecord.path(in: environment))
        try removeRecord()
        removeFolders(except: nil)
    }

    /// Also removes what is left of a run interrupted just before or after it wrote the record.
    private func removeRecord() throws(Failure) {
        try SmallFile(SetupRecord.path(in: environment)).remove()
        _ = unsafe rmdir(environment.stateFolder)
    }

    private mutating func restore(_ defaults: SetupRecord.Defaults) {
        do throws(Failure) {
            let file = SmallFile(defaults.path)
            if !report.isPlan { file.removeDraft() }
            let text = try file.contents().flatMap { String(validating: $0, as: UTF8.self) }
            guard let text else { return }
            let before = defaults.before.map { DefaultApplications($0) }
            let now = DefaultApplications(text)
            let restored = now.undoing(
                DesktopFile.openerName, for: DesktopFile.openedTypes, before: before)
            for type in DesktopFile.openedTypes {
                let entries = now.entries(for: type)
                let earlier = before?.entries(for: type).first
                if entries.first == DesktopFile.openerName {
                    report.add(.restored, opening(type, earlier))
                } else if let entry = entries.first, entry != earlier {
                    report.add(.kept, opening(type, entry), localized("changed after setup"))
                }
            }
            guard restored != now, !report.isPlan else { return }
            if let restored {
                try file.write(Array(restored.text.utf8))
            } else {
                try file.remove()
            }
        } catch {
            report.add(error)
        }
    }

    private mutating func take(_ mailcap: SetupRecord.Addition) {
        do throws(Failure) {
            let file = SmallFile(mailcap.path)
            if !report.isPlan { file.removeDraft() }
            guard let contents = try file.contents() else { return }
            guard let rest = Mailcap.contents(contents, without: mailcap.text) else {
                if contents.firstRange(of: Array(Mailcap.begin.utf8)) != nil {
                    report.add(
                        .kept, mailcap.path, localized("the lines were changed after setup"))
                }
                return
            }
            let lines = localized(
                "the lines for passes from {place}", ["place": mailcap.path])
            report.attempt(.removed, lines) {
                () throws(Failure) in
                if rest.isEmpty && mailcap.isNew { try file.remove() } else { try file.write(rest) }
            }
        } catch {
            report.add(error)
        }
    }

    private mutating func remove(_ path: String, _ digests: [String]) {
        do throws(Failure) {
            let file = SmallFile(path)
            if !report.isPlan { file.removeDraft() }
            guard let contents = try file.contents() else { return }
            if SmallFile.isLink(path) || !digests.contains(Digest.sha256(contents)) {
                report.add(.kept, path, localized("changed after setup"))
                return
            }
        } catch {
            report.add(error)
            return
        }
        report.attempt(.removed, path) { () throws(Failure) in try SmallFile(path).remove() }
    }

    /// Removes empty folders that setup created; the folder of the record is kept until last.
    private func removeFolders(except file: String?) {
        for folder in record.folders.reversed() {
            if let file, file.hasPrefix(folder + "/") { continue }
            _ = unsafe rmdir(folder)
        }
    }
}
