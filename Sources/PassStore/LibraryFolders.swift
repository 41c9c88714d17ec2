internal import Bytes
package import Foundation

extension PassLibrary {
    /// Makes the folders of a library that are not there yet, for a process that may not do so later.
    package static func makeFolders(at directory: URL) throws(LibraryError) {
        let files = FileStore(root: directory.standardizedFileURL.path)
        do throws(FileError) {
            try files.prepare()
        } catch {
            throw .cannotWrite(path: files.root, reason: error.reason)
        }
    }

    /// Where a library has its files: beneath its own folder, and where links in it lead.
    package static func places(at directory: URL) -> [String] {
        let files = FileStore(root: directory.standardizedFileURL.path)
        // SQLite keeps its files beside the index itself.
        let index = URL(fileURLWithPath: Index.path(in: files.root)).resolvingSymlinksInPath()
        return [
            files.root, files.passes, files.temporary, files.downloads, files.damaged,
            index.deletingLastPathComponent().path,
        ]
    }

    /// Where it has files that are not whole yet, and none that matters.
    package static func temporaryFolder(at directory: URL) -> String {
        FileStore(root: directory.standardizedFileURL.path).temporary
    }
}

extension PassLibrary {
    /// Where it has bodies that are on their way.
    package static func downloadsFolder(at directory: URL) -> String {
        FileStore(root: directory.standardizedFileURL.path).downloads
    }

    /// Where it has what issuers send of newer versions, until that is judged. Made where it is not there
    /// yet, in a library that is.
    package static func makeUpdatesFolder(at directory: URL) throws(LibraryError) -> String {
        let files = FileStore(root: directory.standardizedFileURL.path)
        guard files.exists(Index.path(in: files.root)) || files.exists(files.passes) else {
            throw .noSuchLibrary(files.root)
        }
        let folder = "\(files.root)/updates"
        do throws(FileError) {
            try files.makeDirectory(folder)
        } catch {
            throw .cannotWrite(path: folder, reason: error.reason)
        }
        return folder
    }
}
