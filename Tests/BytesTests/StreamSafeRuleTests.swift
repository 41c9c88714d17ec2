import Foundation
import Testing

@Suite("Bytes become text only through the initialisers that break up long runs of marks")
struct StreamSafeRuleTests {
    /// Files that read ASCII or trusted text: constants of C libraries, names of the system, the
    /// environment, files of this program, and the user's own input.
    private static let exceptions: Set<String> = [
        "Platform/CommandLine+Bytes.swift", "Platform/DurableFile.swift",
        "Platform/FileDescriptor+Entries.swift", "Platform/FileError.swift",
        "Bytes/StreamSafeText.swift",
        "Archives/ZipArchive.swift", "Archives/ZipSource.swift",
        "Compression/GzipDecoder.swift", "Compression/ZstdDecoder.swift",
        "DesktopFiles/DesktopEntry.swift", "DesktopFiles/Mailcap.swift",
        // Parts of sentences that consist of safe text.
        "Localization/Words.swift",
        "DesktopIntegration/Setup/NamedProgram.swift", "PassSession/Environment+Places.swift",
        "PassSession/DownloadConditions.swift", "DesktopIntegration/Setup/DefaultChoice.swift",
        "DesktopIntegration/Setup/DesktopTool.swift", "DesktopIntegration/Setup/SmallFile.swift",
        "DesktopIntegration/Setup/Unregistration.swift", "PassSession/Session.swift",
        "PassSession/TemporaryFolder.swift", "PassStore/UnwritableIndex.swift",
        "PassDelivery/DeliveryEnvironment.swift",
        "PassDelivery/Importer.swift",
        "PassDrawing/FaceSheet.swift", "PassDrawing/Fonts.swift",
        // Pango's result becomes bytes again, and parts of it become safe text.
        "PassDrawing/Typesetting.swift",
        // JSON of texts that are safe already.
        "PassDownloads/DownloadFailure.swift",
        "PassUpdates/UpdateProblem.swift", "PassFetch/HostAddress.swift",
        "PassFetch/ExchangeFailure.swift", "Cryptography/CertificateStore.swift",
        "Cryptography/SignedData.swift",
        "PassViewer/GTK/Dragging.swift",
        "PassViewer/GTK/FileDialog.swift", "PassViewer/GTK/SearchEntry.swift",
    ]

    @Test("other initialisers are used only for trusted text")
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
            // A following `.streamSafe` makes it safe.
            let lines = text.split(separator: "\n").filter { !$0.contains(".streamSafe") }
            if lines.joined(separator: "\n").contains(pattern) { found.insert(file) }
        }
        #expect(found.subtracting(Self.exceptions).isEmpty, "use String(streamSafe:)")
        #expect(Self.exceptions.subtracting(found).isEmpty, "these are no exceptions any more")
    }
}
