import Foundation

/// The mail and the passes that are measured, in a folder where they stay for the next time.
struct Corpus {
    let mbox: URL
    let maildir: URL
    let passes: URL
    let root: URL
    private(set) var contents = Contents()

    /// What was asked for, and what came of it.
    struct Contents: Codable {
        var form = 1
        var seed: UInt64 = 0
        var megabytes = 0
        var messages = 0
        var passes = 0
        var mboxBytes = 0
        var mboxMessages = 0
        var mboxPasses = 0
        var maildirBytes = 0
        var maildirPasses = 0
    }

    init(in folder: URL, samples: URL, seed: UInt64, megabytes: Int, messages: Int, passes: Int)
        throws
    {
        mbox = folder.appendingPathComponent("mail.mbox")
        maildir = folder.appendingPathComponent("Maildir")
        self.passes = folder.appendingPathComponent("passes")
        root = samples.appendingPathComponent("authority/root.pem")
        contents.seed = seed
        contents.megabytes = megabytes
        contents.messages = messages
        contents.passes = passes
        let record = folder.appendingPathComponent("contents.json")
        if let data = try? Data(contentsOf: record),
            let made = try? JSONDecoder().decode(Contents.self, from: data),
            made.form == contents.form,
            made.seed == seed, made.megabytes == megabytes, made.messages == messages,
            made.passes == passes
        {
            contents = made
            return
        }
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pool = try Corpus.samples(samples)
        try makeMbox(pool)
        try makeMaildir(pool)
        try makePasses(pool)
        try JSONEncoder().encode(contents).write(to: record)
    }

    private static func samples(_ folder: URL) throws -> [[UInt8]] {
        let trusted = folder.appendingPathComponent("passes/trusted")
        return try FileManager.default.contentsOfDirectory(atPath: trusted.path).sorted()
            .filter { $0.hasSuffix(".pkpass") }
            .map { Array(try Data(contentsOf: trusted.appendingPathComponent($0))) }
    }

    private mutating func makeMbox(_ pool: [[UInt8]]) throws {
        guard FileManager.default.createFile(atPath: mbox.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let file = try FileHandle(forWritingTo: mbox)
        var maker = MailMaker(seed: contents.seed, passes: pool)
        var mail: [UInt8] = []
        while contents.mboxBytes < contents.megabytes * 1_000_000 {
            mail += Array("From sender@example.com Tue May  7 10:00:00 2024\n".utf8)
            maker.append(to: &mail)
            mail.append(UInt8(ascii: "\n"))
            if mail.count > 1 << 20
                || contents.mboxBytes + mail.count >= contents.megabytes * 1_000_000
            {
                try file.write(contentsOf: mail)
                contents.mboxBytes += mail.count
                mail.removeAll(keepingCapacity: true)
            }
        }
        try file.close()
        contents.mboxMessages = maker.messages
        contents.mboxPasses = maker.passes
    }

    private mutating func makeMaildir(_ pool: [[UInt8]]) throws {
        for name in ["cur", "new", "tmp"] {
            try FileManager.default.createDirectory(
                at: maildir.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        var maker = MailMaker(seed: contents.seed &+ 1, passes: pool)
        for index in 0..<contents.messages {
            var mail: [UInt8] = []
            maker.append(to: &mail)
            let name = "cur/17150760\(String(format: "%06d", index)).M1P1.host:2,S"
            try Data(mail).write(to: maildir.appendingPathComponent(name))
            contents.maildirBytes += mail.count
        }
        contents.maildirPasses = maker.passes
    }

    /// Copies that differ in the comment of the archive, so that each is a version of its own.
    private func makePasses(_ pool: [[UInt8]]) throws {
        try FileManager.default.createDirectory(at: passes, withIntermediateDirectories: true)
        let plain = pool.filter { $0.suffix(22).starts(with: [0x50, 0x4B, 5, 6, 0, 0]) }
        guard !plain.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
        for index in 0..<contents.passes {
            let comment = Array("\(index)".utf8)
            var pass = plain[index % plain.count]
            pass[pass.count - 2] = UInt8(comment.count)
            let name = "\(String(format: "%06d", index)).pkpass"
            try Data(pass + comment).write(to: passes.appendingPathComponent(name))
        }
    }
}
