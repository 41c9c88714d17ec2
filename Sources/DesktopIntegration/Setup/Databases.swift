internal import DesktopFiles
internal import Foundation
internal import Glibc
internal import Localization
internal import PassSession
internal import Platform

/// The database that update-mime-database makes from the MIME packages in the user's data folder.
struct MimeDatabase {
    let environment: Environment
    let folder: String

    init(_ environment: Environment) {
        self.environment = environment
        folder = "\(environment.dataFolder)/mime"
    }

    private static let names = [
        "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic",
        "mime.cache", "subclasses", "treemagic", "types", "version",
    ]

    /// The files that the tool creates if ours is the only package.
    var files: [String] {
        (MimeDatabase.names + DesktopFile.mediaTypes.map { "\($0).xml" }).map { "\(folder)/\($0)" }
    }

    private var hasPackages: Bool { hasFiles(in: "\(folder)/packages", endingIn: ".xml") }

    package func update(_ report: inout SetupReport) {
        report.attempt(.updated, folder) { () throws(Failure) in
            try DesktopTool.mimeDatabase.run([folder], in: environment)
        }
    }

    /// Updates or removes the database after the package was removed.
    func forget(_ generated: [String], _ report: inout SetupReport) {
        guard SmallFile.exists(folder) else { return }
        if hasPackages || !generated.contains("\(folder)/mime.cache") {
            update(&report)
            return
        }
        let what = localized("the files generated in {place}", ["place": folder])
        report.attempt(.removed, what) { () throws(Failure) in
            for path in files where generated.contains(path) {
                try SmallFile(path).remove()
                // Left by an interrupted update.
                try SmallFile("\(path).new").remove()
            }
        }
    }
}

/// The cache that update-desktop-database makes from the user's desktop entries.
struct EntryDatabase {
    let environment: Environment
    let folder: String

    init(_ environment: Environment) {
        self.environment = environment
        folder = "\(environment.dataFolder)/applications"
    }

    var cache: String { "\(folder)/mimeinfo.cache" }

    package func update(_ report: inout SetupReport) {
        report.attempt(.updated, folder) { () throws(Failure) in
            try DesktopTool.entryDatabase.run([folder], in: environment)
        }
    }

    /// Updates or removes the cache after the entry was removed.
    func forget(_ generated: [String], _ report: inout SetupReport) {
        guard SmallFile.exists(folder) else { return }
        if hasFiles(in: folder, endingIn: ".desktop") || !generated.contains(cache) {
            update(&report)
        }
        guard generated.contains(cache), !report.isPlan else { return }
        // Keep the cache if it contains entries of other programs.
        do throws(Failure) {
            let contents = try SmallFile(cache).contents() ?? []
            if !hasFiles(in: folder, endingIn: ".desktop")
                || contents == Array("[MIME Cache]\n".utf8)
            {
                try SmallFile(cache).remove()
            }
        } catch {
            report.add(error)
        }
    }
}

/// Icon caches are valid only while they are newer than the theme's folder.
func touchIcons(in environment: Environment) {
    _ = unsafe utimensat(AT_FDCWD, "\(environment.dataFolder)/icons/hicolor", nil, 0)
}

private func hasFiles(in folder: String, endingIn ending: String) -> Bool {
    let names = try? FileDescriptor.names(in: folder)
    return names?.contains { $0.hasSuffix(ending) } ?? false
}
