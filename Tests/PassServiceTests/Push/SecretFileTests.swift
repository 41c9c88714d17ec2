import Cryptography
import Foundation
import Glibc
import PassFixtures
import PassService
import Testing

@Suite("Keys and passwords are read from files that other users cannot read")
struct SecretFileTests {
    @Test(
        "permissions",
        arguments: [
            (0o400, true), (0o600, true), (0o640, true), (0o440, true), (0o700, true),
            (0o644, false), (0o604, false), (0o602, false), (0o601, false), (0o660, false),
            (0o620, false), (0o666, false),
        ] as [(Int, Bool)])
    func modes(mode: Int, isAccepted: Bool) throws {
        let file = try fixtureFolder().appending(path: "secret")
        try Data("sesame\nand more".utf8).write(to: file)
        try setMode(mode, of: file)
        guard isAccepted else {
            #expect(throws: PushError.readableByOthers(path: file.path)) {
                _ = try Secret(privateFile: file.path).count
            }
            #expect(throws: PushError.readableByOthers(path: file.path)) {
                _ = try Secret(firstLineOfPrivateFile: file.path).count
            }
            return
        }
        #expect(try Secret(privateFile: file.path).count == 15)
        #expect(try Secret(firstLineOfPrivateFile: file.path).count == 6)
    }

    @Test("a missing file")
    func missing() throws {
        let path = try fixtureFolder().appending(path: "secret").path
        #expect(throws: PushError.cannotRead(path: path, code: ENOENT)) {
            _ = try Secret(privateFile: path).count
        }
    }
}
