import Foundation
import PassSession
import Testing

@Suite("Without all of its certificates, nothing is verified")
struct UnreadableTrustTests {
    @Test(
        "a file in the trust folder, or the folder, cannot be read",
        arguments: ["passconduit/trust", "passconduit/trust/x.pem"])
    func unreadable(name: String) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: home) }
        let file = home.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A link to itself, since root may read every file.
        unsafe #expect(symlink(file.lastPathComponent, file.path) == 0)
        let session = Session(environment: Environment(["XDG_CONFIG_HOME": home.path])) { _ in }
        let failure = #expect(throws: Failure.self) { try session.keptAnchors() }
        #expect(failure?.exitCode == .unreadable)
        #expect(failure?.description.hasPrefix("\(file.path): ") == true)
        #expect(failure?.description.contains("symbolic links") == true)
    }
}
