/// What the command line asks for.
struct DeliveryArguments: Equatable {
    enum Request { case delivery, help, version }

    private(set) var request = Request.delivery
    /// The options for `passconduit import`, byte by byte as they came: a path need not be text.
    private(set) var options: [[UInt8]] = []

    /// The arguments behind the name of the program.
    init(_ words: some Sequence<[UInt8]>) throws(UsageError) {
        var words = words.makeIterator()
        while let word = words.next() {
            if word.elementsEqual("--help".utf8) || word.elementsEqual("-h".utf8) {
                request = .help
                return
            }
            if word.elementsEqual("--version".utf8) {
                request = .version
                return
            }
            guard let option = Option(word) else { throw .unexpected(word) }
            options.append(word)
            let count = option.name.utf8.count
            if word.count > count {
                guard word.count > count + 1 else { throw .noValue(option) }
                continue
            }
            // What begins with a hyphen would be another option to `passconduit import`.
            guard let value = words.next(), let first = value.first, first != UInt8(ascii: "-")
            else { throw .noValue(option) }
            options.append(value)
        }
    }

    /// The options that have a value, as `passconduit import` knows them.
    enum Option: CaseIterable {
        case library, trustRoot

        var name: String {
            switch self {
            case .library: "--library"
            case .trustRoot: "--trust-root"
            }
        }

        /// The option of a word, which may have the value behind `=`.
        init?(_ word: [UInt8]) {
            let name = word.prefix { $0 != UInt8(ascii: "=") }
            guard let option = Option.allCases.first(where: { name.elementsEqual($0.name.utf8) })
            else { return nil }
            self = option
        }
    }
}

/// Why a command line makes no sense.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unexpected([UInt8])
    case noValue(DeliveryArguments.Option)

    var description: String {
        switch self {
        case .unexpected(let word):
            "unexpected argument '\(String(decoding: word, as: UTF8.self))'"
        case .noValue(.library): "--library needs the name of a folder"
        case .noValue(.trustRoot): "--trust-root needs the name of a file"
        }
    }
}
