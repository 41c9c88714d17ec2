import Bytes
import MailSource

/// The command-line arguments.
struct DeliveryArguments: Equatable {
    enum Request { case delivery, help, version }

    private(set) var request = Request.delivery
    /// Whether to write the message to standard output.
    private(set) var isTee = false
    /// Whether to add a header field about its passes.
    private(set) var addsHeader = false
    /// Whether to store a message for a later run if its passes cannot be imported now.
    private(set) var isSpooling = false
    /// The spool folder; nil for the user's default.
    private(set) var spoolFolder: Path?
    private(set) var limits = DeliveryLimits()
    /// Options for `passconduit import`, as raw bytes, since a path may not be valid UTF-8.
    private(set) var options: [[UInt8]] = []

    /// Parses the arguments after the program name.
    init(_ words: some Sequence<[UInt8]>) throws(UsageError) {
        var words = words.makeIterator()
        while let word = words.next() {
            switch Flag(word) {
            case .help:
                request = .help
                return
            case .version:
                request = .version
                return
            case .tee: isTee = true
            case .header: (isTee, addsHeader) = (true, true)
            case .spool: isSpooling = true
            case nil: try take(word, &words)
            }
        }
    }

    /// Parses an option with a value.
    private mutating func take(
        _ word: [UInt8], _ words: inout some IteratorProtocol<[UInt8]>
    ) throws(UsageError) {
        guard let option = Option(word) else { throw .unexpected(word) }
        let count = option.name.utf8.count
        if word.count > count {
            guard word.count > count + 1 else { throw .noValue(option) }
            let value = Array(word[(count + 1)...])
            switch option {
            case .spool:
                isSpooling = true
                spoolFolder = Path(value)
            case .deadline: try takeDeadline(value)
            case .library, .trustRoot: options.append(word)
            }
            return
        }
        // `passconduit import` would take a value with a leading hyphen for an option.
        guard let value = words.next(), let first = value.first, first != UInt8(ascii: "-")
        else { throw .noValue(option) }
        if option == .deadline { return try takeDeadline(value) }
        options += [word, value]
    }

    private mutating func takeDeadline(_ value: [UInt8]) throws(UsageError) {
        guard value.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(value.text),
            DeliveryLimits.deadlines.contains(seconds)
        else { throw .noValue(.deadline) }
        limits.deadline = seconds
    }

    /// Options without a value.
    private enum Flag: String {
        case help = "--help"
        case version = "--version"
        case tee = "--tee"
        case header = "--header"
        case spool = "--spool"

        init?(_ word: [UInt8]) {
            self.init(rawValue: word.elementsEqual("-h".utf8) ? "--help" : word.text)
        }
    }

    /// Options with a value: two for `passconduit import`; the spool, whose value is optional and
    /// follows `=`; and the deadline.
    enum Option: CaseIterable {
        case library, trustRoot, spool, deadline

        var name: String {
            switch self {
            case .library: "--library"
            case .trustRoot: "--trust-root"
            case .spool: "--spool"
            case .deadline: "--deadline"
            }
        }

        /// Parses the name of an option, which `=` and a value may follow.
        init?(_ word: [UInt8]) {
            let name = word.prefix { $0 != UInt8(ascii: "=") }
            guard let option = Option.allCases.first(where: { name.elementsEqual($0.name.utf8) })
            else { return nil }
            self = option
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(streamSafe: self) }
}

/// Why the command line is invalid.
enum UsageError: Error, Equatable {
    case unexpected([UInt8])
    case noValue(DeliveryArguments.Option)
}
