package import Bytes
internal import Confinement
package import Foundation
internal import Localization
internal import MailSource
package import PassImport
internal import PassStore

extension Session {
    /// Gives up, for good, what a command does not need once it reads what strangers wrote: other files,
    /// programs, the network, other processes. What is open stays so.
    ///
    /// It has to come before there is a second thread: one that is there keeps its rights.
    ///
    /// - Parameters:
    ///   - inputs: What is to be read, with what links in it lead to.
    ///   - readsAnything: Whether all may be read: what is there later cannot be named now.
    ///   - spool: Where large parts are kept meanwhile.
    ///   - folders: Where files are made and removed that are of no use later.
    ///   - library: The library's folder. Who only reads in it leaves marks beside the index, too.
    ///   - mending: Whether the library's permissions may be set.
    package func confine(
        reading inputs: [Input] = [], readsAnything: Bool = false,
        spooling spool: SpoolPolicy? = nil, library: URL? = nil, working folders: [String] = [],
        mending: Bool = false
    ) throws(Failure) {
        var confinement = Confinement()
        confinement.readable = SystemFiles.common + tables.map { Array($0.utf8) }
        confinement.readable += places(of: inputs).map(\.bytes)
        if readsAnything { confinement.readable.append(Array("/".utf8)) }
        confinement.spools = spool?.directories ?? []
        for folder in folders {
            confinement.writable.append(Array(folder.utf8))
            // It is removed from the folder that it is in.
            let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
            confinement.tidied.append(Array(parent.utf8))
        }
        if let library {
            confinement.writable += PassLibrary.places(at: library).map { Array($0.utf8) }
            confinement.setsProperties = mending
            // What SQLite cannot sort in memory.
            unsafe setenv("SQLITE_TMPDIR", PassLibrary.temporaryFolder(at: library), 1)
        }
        do throws(FileError) {
            _ = try confinement.apply()
        } catch {
            throw .unconfined(error.description)
        }
    }

    /// Tables of libraries that people put in places of their own, and the catalogue of words.
    private var tables: [String] {
        var files: [String] = []
        for variable in ["MAGIC", "GCONV_PATH", "OPENSSL_CONF", "OPENSSL_MODULES", "TZDIR"] {
            files += environment[variable]?.components(separatedBy: ":") ?? []
        }
        // A word may be wanted at any time.
        if let catalogue { files.append(catalogue.folder) }
        if let home = environment["HOME"] { files += ["\(home)/.magic", "\(home)/.magic.mgc"] }
        return files
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
        let targets = LinkTargets(in: sources)
        if targets.isCut {
            report(
                localized("there are too many symbolic links to say what may be read: all may be"))
            return [Path("/")]
        }
        return fetched + sources + sources.flatMap(EmlxAttachments.places) + targets.links
    }
}
