import Cryptography
import Foundation
import Glibc
import PassFixtures
import PassService
import Testing

@Suite("Keys and passwords are read from files that other users cannot read")
struct SecretFileTests {
    @Test(
        "permissions decide whether a file is read",
        arguments: [
            (0o400, true), (0o600, true), (0o640, geteuid() == 0), (0o440, geteuid() == 0),
            (0o700, true),
            (0o644, false), (0o604, false), (0o602, false), (0o601, false), (0o660, false),
            (0o620, false), (0o666, false),
        ] as [(Int, Bool)])
    func modes(mode: Int, isAccepted: Bool) throws {
        let file = try fixtureFolder().appending(path: "secret")
        try Data("sesame\nand more".utf8).write(to: file)
        try setMode(mode, of: file)
        guard isAccepted else {
            #expect(throws: SecretFileError.readableByOthers(path: file.path)) {
                _ = try Secret(privateFile: file.path).count
            }
            #expect(throws: SecretFileError.readableByOthers(path: file.path)) {
                _ = try Secret(firstLineOfPrivateFile: file.path).count
            }
            return
        }
        #expect(try Secret(privateFile: file.path).count == 15)
        #expect(try Secret(firstLineOfPrivateFile: file.path).count == 6)
    }

    @Test(
        "the group may read only files of root, and files of other users are refused",
        .enabled(if: geteuid() == 0, "only root can make files of other users"))
    func owners() throws {
        let file = try fixtureFolder().appending(path: "secret")
        try Data("sesame".utf8).write(to: file)
        try setMode(0o640, of: file)
        #expect(try Secret(privateFile: file.path).count == 6)
        unsafe chown(file.path, 65_534, 65_534)
        #expect(throws: SecretFileError.foreignOwner(path: file.path)) {
            _ = try Secret(privateFile: file.path).count
        }
    }

    @Test("a missing file is an error")
    func missing() throws {
        let path = try fixtureFolder().appending(path: "secret").path
        #expect(throws: SecretFileError.cannotRead(path: path, code: ENOENT)) {
            _ = try Secret(privateFile: path).count
        }
    }
}
