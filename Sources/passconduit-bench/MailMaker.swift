/// Makes mail like a person's, the same for the same seed: newsletters, photos, PDFs, office files,
/// replies, forwards and plain text, and in one message of so many a pass.
struct MailMaker {
    /// What was made since it was taken.
    private(set) var mail: [UInt8] = []
    var messages = 0
    var passes = 0
    var messagesWithPasses = 0

    var random: Random
    let pools: MailPools
    /// Passes to put in, as they are.
    let pool: [[UInt8]]
    private let interval: Int

    /// - Parameter interval: A pass comes in the middle of each so many messages.
    init(seed: UInt64, passes pool: [[UInt8]], interval: Int) {
        self.pool = pool
        self.interval = interval
        // The same pools for every seed would do; their own numbers keep the mails' apart.
        var random = Random(state: seed ^ 0x5EED)
        pools = MailPools(&random)
        self.random = Random(state: seed)
    }

    /// A message whose lines never begin with `From `.
    mutating func appendMessage() {
        messages += 1
        if !pool.isEmpty, messages % interval == interval / 2 { return appendMessageWithPass() }
        let kind = MailMaker.kind(random.below(100))
        appendHeader(isList: kind.isList)
        appendBody(kind)
    }

    /// What was made since the last time, less what is taken now.
    mutating func take() -> [UInt8] {
        defer { mail.removeAll(keepingCapacity: true) }
        return mail
    }

    mutating func append(_ text: String) { mail += text.utf8 }

    mutating func append(_ bytes: [UInt8]) { mail += bytes }

    mutating func append(_ count: Int, of lines: KeyPath<MailPools, LinePool>) {
        pools[keyPath: lines].append(count, to: &mail, &random)
    }

    /// So many words of 16 digits.
    mutating func hexadecimal(_ words: Int) -> String {
        (0..<words).map { _ in String(random.next(), radix: 16) }.joined()
    }
}
