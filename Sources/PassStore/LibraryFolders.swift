package import Foundation
internal import Platform

extension PassLibrary {
    /// Creates missing folders of a library, for a process that will be confined.
    package static func makeFolders(at directory: URL) throws(LibraryError) {
        let files = FileStore(root: directory.standardizedFileURL.path)
        do throws(FileError) {
            try files.prepare()
        } catch {
            throw .cannotWrite(path: files.root, reason: .system(error.code))
        }
    }

    /// The folders of a library's files, including the targets of symbolic links in it.
    package static func places(at directory: URL) -> [String] {
        let files = FileStore(root: directory.standardizedFileURL.path)
        let index = URL(fileURLWithPath: Index.target(in: files.root))
        return [
            files.root, files.passes, files.temporary, files.downloads, files.damaged,
            index.deletingLastPathComponent().path,
        ]
    }

    /// Whether a process needs a folder for a copy of the index to read the library, as on read-only
    /// media.
    package static func needsCopy(at directory: URL) -> Bool {
        let files = FileStore(root: directory.standardizedFileURL.path)
        return UnwritableIndex(files, patience: .zero)?.needsCopy ?? false
    }

    /// The folder for incomplete files.
    package static func temporaryFolder(at directory: URL) -> String {
        FileStore(root: directory.standardizedFileURL.path).temporary
    }
}

extension PassLibrary {
    /// The folder for bodies being downloaded.
    package static func downloadsFolder(at directory: URL) -> String {
        FileStore(root: directory.standardizedFileURL.path).downloads
    }

    /// Creates the folder for responses from web services that are not verified yet, in an existing
    /// library.
    package static func makeUpdatesFolder(at directory: URL) throws(LibraryError) -> String {
        let files = FileStore(root: directory.standardizedFileURL.path)
        try Index.refuseIfNoLibrary(files)
        let folder = "\(files.root)/updates"
        do throws(FileError) {
            try DurableFile.makeFolder(folder.utf8)
        } catch {
            throw .cannotWrite(path: folder, reason: .system(error.code))
        }
        return folder
    }
}
