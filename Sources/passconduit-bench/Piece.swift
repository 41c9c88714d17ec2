/// A piece of the corpus; made once and kept for the next run.
enum Piece: Hashable {
    case mbox(megabytes: Int)
    case maildir(messages: Int)
    /// One message with a video of this size, followed by a pass.
    case message(megabytes: Int)
    /// An export of mail, with a short message in each line.
    case export(messages: Int)
    /// One message of about 60 KB without a pass, one with a pass, and that pass.
    case letter, letterWithPass, pass
    /// A folder of passes with distinct contents.
    case passes(Int)
    /// An incompressible file.
    case body(megabytes: Int)
    /// A library with this many passes.
    case library(passes: Int)
    /// A template for passes with images of 40 KB, a row of data for each pass, and a certificate with its key.
    case template(passes: Int)

    /// The name of the file or folder.
    var name: String {
        switch self {
        case .mbox(let megabytes): "mail-\(megabytes).mbox"
        case .maildir(let messages): "Maildir-\(messages)"
        case .message(let megabytes): "message-\(megabytes).eml"
        case .export(let messages): "export-\(messages).jsonl"
        case .letter: "letter.eml"
        case .letterWithPass: "letter-with-pass.eml"
        case .pass: "ticket.pkpass"
        case .passes(let count): "passes-\(count)"
        case .body(let megabytes): "body-\(megabytes)"
        case .library(let count): "library-\(count)"
        case .template(let count): "template-\(count)"
        }
    }

    /// The file name of a pass in a folder of passes.
    static func pass(_ number: Int) -> String { "\(Piece.number(number)).pkpass" }

    static func number(_ number: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// The contents of a finished piece.
    struct Contents: Codable {
        var bytes = 0
        var messages = 0
        var passes = 0
    }
}
