/// A part of what is measured; it is made once and kept for the next time.
enum Piece: Hashable {
    case mbox(megabytes: Int)
    case maildir(messages: Int)
    /// One message with a film of this size, and a pass behind it.
    case message(megabytes: Int)
    /// One message of about 60 KB without a pass, one with a pass, and that pass.
    case letter, letterWithPass, pass
    /// A folder of passes that differ in all that they say.
    case passes(Int)
    /// A file that cannot be packed.
    case body(megabytes: Int)
    /// A library of as many.
    case library(passes: Int)

    /// Of its file or its folder.
    var name: String {
        switch self {
        case .mbox(let megabytes): "mail-\(megabytes).mbox"
        case .maildir(let messages): "Maildir-\(messages)"
        case .message(let megabytes): "message-\(megabytes).eml"
        case .letter: "letter.eml"
        case .letterWithPass: "letter-with-pass.eml"
        case .pass: "ticket.pkpass"
        case .passes(let count): "passes-\(count)"
        case .body(let megabytes): "body-\(megabytes)"
        case .library(let count): "library-\(count)"
        }
    }

    /// The file of a pass in a folder of passes, by its number.
    static func pass(_ number: Int) -> String { "\(Piece.number(number)).pkpass" }

    static func number(_ number: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    /// What came of it.
    struct Contents: Codable {
        var bytes = 0
        var messages = 0
        var passes = 0
    }
}
