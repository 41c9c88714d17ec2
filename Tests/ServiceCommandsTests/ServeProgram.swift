import Foundation
import Testing

/// The path of passconduit-serve in the build of these tests.
func serveProgram() throws -> String {
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    // `swift test` runs the tests in a program of the toolchain, which is not in the build.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    for place in [own, bundle.map { URL(filePath: $0) }].compactMap(\.self) {
        let program = place.deletingLastPathComponent().appending(path: "passconduit-serve").path
        if FileManager.default.isExecutableFile(atPath: program) { return program }
    }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "passconduit-serve"])
}
