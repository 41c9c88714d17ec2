import Foundation
import Testing

@Suite("Bytes become text through the initialisers that break long runs")
struct StreamSafeRuleTests {
    /// What reads ASCII, or text that no stranger wrote: constants of C libraries, names of the system, the
    /// environment, files of this program, and words of the person at the keyboard.
    private static let exceptions: Set<String> = [
        "Archives/ZipArchive.swift", "Archives/ZipSource.swift", "Bytes/CommandLine+Bytes.swift",
        "Bytes/FileDescriptor.swift", "Bytes/StreamSafeText.swift",
        "Compression/GzipDecoder.swift", "Compression/ZstdDecoder.swift",
        "DesktopFiles/DesktopEntry.swift", "DesktopFiles/Mailcap.swift",
        // Pieces of sentences that were made of safe text.
        "Localization/Sentence.swift", "Localization/Words.swift",
        "PassCommands/Commands/Setup.swift", "PassCommands/Environment+Places.swift",
        "PassCommands/Fetching/DownloadConditions.swift", "PassCommands/Setup/DefaultChoice.swift",
        "PassCommands/Setup/DesktopTool.swift", "PassCommands/Setup/SmallFile.swift",
        "PassCommands/Setup/Unregistration.swift", "PassCommands/Shell.swift",
        "PassCommands/TemporaryFolder.swift", "PassDelivery/DeliveryEnvironment.swift",
        "PassDelivery/FileDescriptor+Folder.swift", "PassDelivery/Importer.swift",
        "PassDrawing/FaceSheet.swift", "PassDrawing/Fonts.swift",
        // What Pango gives back becomes bytes again, and its pieces become safe text.
        "PassDrawing/Typesetting.swift",
        "PassFetch/ExchangeFailure.swift", "PassFetch/HostAddress.swift",
        "PassFetch/Resolver.swift", "PassVerification/CertificateChain.swift",
        "PassStore/CheckedFiles.swift", "PassVerification/SignedData.swift",
        "PassViewer/GTK/Dragging.swift",
        "PassViewer/GTK/FileDialog.swift", "PassViewer/GTK/SearchEntry.swift",
    ]

    @Test("and others are used where no stranger wrote the text")
    func sources() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources").path
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        var found: Set<String> = []
        for case let file as String in files
        where file.hasSuffix(".swift") && !file.hasPrefix("passconduit-") {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            let pattern = /\bString\(\s*(decoding|validating|cString|bytes|data):/
            // `.streamSafe` behind it makes it safe.
            let lines = text.split(separator: "\n").filter { !$0.contains(".streamSafe") }
            if lines.joined(separator: "\n").contains(pattern) { found.insert(file) }
        }
        #expect(found.subtracting(Self.exceptions).isEmpty, "use String(streamSafe:)")
        #expect(Self.exceptions.subtracting(found).isEmpty, "these are no exceptions any more")
    }
}
