/// Generates typical personal mail, determined by the seed: newsletters, photos, PDFs, office
/// files, replies, forwards and plain text, and a pass in one message of `interval`.
struct MailMaker {
    /// The output since the last `take`.
    private(set) var mail: [UInt8] = []
    var messages = 0
    var passes = 0
    var messagesWithPasses = 0

    var random: Random
    let pools: MailPools
    /// The passes to attach.
    let pool: [[UInt8]]
    private let interval: Int

    /// - Parameter interval: One message in this many contains a pass: the middle one.
    init(seed: UInt64, passes pool: [[UInt8]], interval: Int) {
        self.pool = pool
        self.interval = interval
        // A separate generator for the pools keeps the messages independent of it.
        var random = Random(state: seed ^ 0x5EED)
        pools = MailPools(&random)
        self.random = Random(state: seed)
    }

    /// Appends a message without lines that begin with `From `.
    mutating func appendMessage() {
        messages += 1
        if !pool.isEmpty, messages % interval == interval / 2 { return appendMessageWithPass() }
        let kind = MailMaker.kind(random.below(100))
        appendHeader(isList: kind.isList)
        appendBody(kind)
    }

    /// Returns and clears the output.
    mutating func take() -> [UInt8] {
        defer { mail.removeAll(keepingCapacity: true) }
        return mail
    }

    mutating func append(_ text: String) { mail += text.utf8 }

    mutating func append(_ bytes: [UInt8]) { mail += bytes }

    mutating func append(_ count: Int, of lines: KeyPath<MailPools, LinePool>) {
        pools[keyPath: lines].append(count, to: &mail, &random)
    }

    /// A number of words of 16 hexadecimal digits.
    mutating func hexadecimal(_ words: Int) -> String {
        (0..<words).map { _ in String(random.next(), radix: 16) }.joined()
    }
}
