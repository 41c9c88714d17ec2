import Foundation
import Glibc
import Platform
import Testing

@testable import PassStore

@Suite("Open files are synced together")
struct OpenFilesTests {
    @Test("all of them are synced and closed", arguments: [0, 1, 7, 100])
    func all(count: Int) throws {
        let folder = Scratch()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        var open = OpenFiles()
        var numbers: [CInt] = []
        for index in 0..<count {
            let number = unsafe Glibc.open(
                folder.url.appending(path: "\(index)").path, O_WRONLY | O_CREAT, 0o600)
            numbers.append(number)
            open.add(FileDescriptor(number))
        }
        try open.sync()
        #expect(open.count == 0)
        #expect(numbers.allSatisfy { fcntl($0, F_GETFD) == -1 })
    }

    @Test("folders of a file system that syncs only files are no error")
    func folders() throws {
        for name in ["/proc/self", "/tmp"] {
            var open = OpenFiles()
            open.add(try FileDescriptor.open(name, O_RDONLY | O_DIRECTORY))
            try open.syncFolders()
            #expect(open.count == 0)
        }
    }

    @Test("a file that cannot be synced is an error", arguments: [0, 3, 19])
    func failure(place: Int) throws {
        let folder = Scratch()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        var open = OpenFiles()
        for index in 0..<20 {
            if index == place {
                // A pipe cannot be synced.
                var ends: [CInt] = [0, 0]
                #expect(unsafe pipe(&ends) == 0)
                _ = close(ends[0])
                open.add(FileDescriptor(ends[1]))
            } else {
                let path = folder.url.appending(path: "\(index)").path
                open.add(FileDescriptor(unsafe Glibc.open(path, O_WRONLY | O_CREAT, 0o600)))
            }
        }
        var code: CInt?
        do throws(FileError) {
            try open.sync()
        } catch {
            code = error.code
        }
        #expect(code == EINVAL)
    }
}
