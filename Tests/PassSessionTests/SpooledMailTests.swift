import Foundation
import PassSession
import Testing

@Suite("Messages in the spool of the mail path are counted")
struct SpooledMailTests {
    @Test("those that wait and those that were given up; other files do not count")
    func count() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: home) }
        let environment = Environment(["HOME": "/nowhere", "XDG_STATE_HOME": home.path])
        #expect(SpooledMail(in: environment).waiting == 0)
        let spool = home.appending(path: "passconduit/spool")
        for name in ["new/1.a", "new/2.b", "new/.hidden", "cur/3.c:2,", "tmp/4.d"] {
            let file = spool.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let mail = SpooledMail(in: environment)
        #expect(mail.waiting == 2)
        #expect(mail.givenUp == 1)
        #expect(mail.folderGivenUp == spool.path + "/cur")
    }
}
