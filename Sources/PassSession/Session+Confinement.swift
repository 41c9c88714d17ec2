package import Bytes
internal import Confinement
package import Foundation
internal import Localization
package import MailSource
package import PassImport
internal import PassStore
import Platform

extension Session {
    /// Permanently gives up all rights that a command does not need to process untrusted data:
    /// other files, programs, the network, other processes. Open files stay open.
    ///
    /// Call it before a second thread starts: running threads keep their rights.
    ///
    /// - Parameters:
    ///   - inputs: The sources to read, including the files that links in them lead to.
    ///   - readsAnything: Whether all files may be read, for a command that cannot name them in
    ///     advance.
    ///   - spool: Where large parts are stored temporarily.
    ///   - folders: Folders for temporary files.
    ///   - changed: Folders whose files are changed.
    ///   - library: The folder of the library. Even readers write lock files next to the index.
    ///   - mending: Whether the permissions of the library's files may be changed.
    package func confine(
        reading inputs: [Input] = [], readsAnything: Bool = false,
        spooling spool: SpoolPolicy? = nil, library: URL? = nil, working folders: [String] = [],
        changing changed: [Path] = [], mending: Bool = false
    ) throws(Failure) {
        var rights = ProcessRights()
        rights.readable =
            SystemFiles.common(environment.variables) + SystemFiles.magic(environment.variables)
        // Messages are loaded on demand.
        if let catalogue { rights.readable.append(Array(catalogue.folder.utf8)) }
        rights.readable += readsAnything ? [Array("/".utf8)] : places(of: inputs).map(\.bytes)
        rights.writable += changed.map(\.bytes)
        rights.spools = spool?.directories ?? []
        for folder in folders {
            rights.writable.append(Array(folder.utf8))
            // Removing the folder needs the right to its parent.
            let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
            rights.tidied.append(Array(parent.utf8))
        }
        if let library {
            rights.writable += PassLibrary.places(at: library).map { Array($0.utf8) }
            rights.setsProperties = mending
            // SQLite sorts large results in temporary files.
            unsafe setenv("SQLITE_TMPDIR", PassLibrary.temporaryFolder(at: library), 1)
        }
        do throws(FileError) {
            _ = try rights.apply()
        } catch {
            throw .unconfined(error)
        }
    }

    private func places(of inputs: [Input]) -> [Path] {
        var sources: [Path] = []
        var fetched: [Path] = []
        for input in inputs {
            if case .path(let path) = input { sources.append(path) }
            if case .download(let file) = input, case .file(let path) = file.content {
                fetched.append(path)
            }
        }
        return fetched + sources + sources.flatMap(EmlxAttachments.places)
            + linksToFiles(in: sources)
    }
}
