import Foundation

/// ZXing's reader, which knows nothing of how a picture was made.
package enum ZXing {
    private static let path = "/usr/bin/ZXingReader"

    package static var isHere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The octets of the one barcode of a format, as ZXing names it (`QRCode`), in a file with a picture;
    /// empty when there is none to be read.
    package static func octets(in file: String, format: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: path)
        // Looking at a picture again in other sizes, ZXing 1.4 fails an assertion on long lines.
        process.arguments = ["-bytes", "-noscale", "-norotate", "-format", format, file]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](output)
    }

    package static func octets(in picture: Picture, format: String) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "passconduit-barcode-\(UUID().uuidString).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(picture.greymap).write(to: file)
        return try octets(in: file.path, format: format)
    }
}
