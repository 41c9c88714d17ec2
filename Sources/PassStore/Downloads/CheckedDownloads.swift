internal import Bytes
internal import GRDB
internal import Glibc

/// Checks that the files of downloads belong to unfinished downloads.
extension Checkup {
    mutating func lookAtDownloads(_ index: DatabaseQueue) throws {
        let names = try files.names(in: files.downloads)
        let ended = try index.read { db in
            Set(try DownloadRow.ended(names.compactMap(DownloadFile.id), db))
        }
        for name in names {
            let path = "\(files.downloads)/\(name)"
            guard let id = DownloadFile.id(named: name), isFile(path) else {
                note(.strayFile, path, mended: false)
                continue
            }
            // The process that holds the file removes it.
            guard ended.contains(id), DownloadFile.look(at: path)?.isHeld != true else { continue }
            if mend { try DownloadFile.take(path, making: false)?.remove() }
            note(.interruptedDownload, path)
        }
    }

    private func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
