import Foundation

/// Writes mail to files; each function returns the number of bytes written.
extension MailMaker {
    /// Writes an mbox; a shorter one is a prefix of a longer one.
    mutating func writeMbox(_ count: Int, to file: URL) throws -> Int {
        try write(to: file) { maker, write in
            var written = 0
            while written + maker.mail.count < count {
                maker.append("From sender@example.com Tue May  7 10:00:00 2024\n")
                maker.appendMessage()
                maker.append("\n")
                if maker.mail.count > 1 << 20 { written += try write(maker.take()) }
            }
        }
    }

    mutating func writeMaildir(_ count: Int, to folder: URL) throws -> Int {
        for name in ["cur", "new", "tmp"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        var written = 0
        for index in 0..<count {
            appendMessage()
            let name = "cur/17150760\(String(format: "%06d", index)).M1P1.host:2,S"
            let message = take()
            try Data(message).write(to: folder.appendingPathComponent(name))
            written += message.count
        }
        return written
    }

    mutating func writeLongMessage(_ count: Int, to file: URL) throws -> Int {
        try write(to: file) { maker, write in
            maker.messages += 1
            maker.appendHeader(isList: false)
            maker.append("Content-Type: multipart/mixed; boundary=outer\n\n--outer\n")
            maker.append("Content-Type: video/quicktime; name=film.mov\n")
            maker.append("Content-Transfer-Encoding: base64\n\n")
            maker.append(
                "AAAAFGZ0eXBxdCAgAAAAAHF0ICAAAAAAV2lkZQABAAAAAW1kYXQAAAAAAAAAAAAAAAAAAAAAAAAA\n")
            var written = 0
            while written < count {
                maker.append(1 << 20, of: \.base64)
                written += try write(maker.take())
            }
            maker.append("--outer\n")
            maker.appendPass()
            maker.append("\n--outer--\n")
        }
    }

    mutating func writeLetter(hasPass: Bool, to file: URL) throws -> Int {
        try write(to: file) { maker, _ in
            maker.messages += 1
            maker.appendHeader(isList: false)
            maker.appendParts("multipart/mixed") {
                $0.appendAlternatives(html: hasPass ? 45_000 : 52_000, encoded: false)
            } _: {
                hasPass ? $0.appendPass() : $0.appendText(2000)
            }
        }
    }

    /// Writes the pass of the letter.
    mutating func writePass(to file: URL) throws -> Int {
        let pass = nextPass()
        try Data(pass).write(to: file)
        return pass.count
    }

    private mutating func write(
        to file: URL, _ body: (inout MailMaker, ([UInt8]) throws -> Int) throws -> Void
    ) throws -> Int {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var total = 0
        func write(_ mail: [UInt8]) throws -> Int {
            try handle.write(contentsOf: mail)
            total += mail.count
            return mail.count
        }
        try body(&self, write)
        _ = try write(take())
        try handle.close()
        return total
    }
}
