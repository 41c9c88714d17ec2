/// The budgets of the message or file that is unpacked. Messages in an archive have a budget each,
/// since they do not depend on one another.
struct UnpackingBudgets {
    /// What nested contents may take.
    var decoding: DecodingBudget
    /// The number of messages found in the archive so far.
    private(set) var messageCount = 0

    private let options: ImportOptions
    private let isMail: Bool
    /// The budget of what is outside of the messages in an archive.
    private var outer: MessageBudget
    /// The last message in an archive. It may continue after items outside of it.
    private var inner: (number: Int, budget: MessageBudget)?
    /// The number of the current message in the archive; nil outside of one.
    private var number: Int?

    /// - Parameter size: The size of the message or file, in bytes, as far as it is known.
    init(_ options: ImportOptions, size: Int = 0, isMail: Bool = true) {
        self.options = options
        self.isMail = isMail
        decoding = DecodingBudget(options.containers, size: size, isMail: isMail)
        var limits = options.message
        // An archive may contain any number of passes.
        if !isMail { limits.reports = .max }
        outer = MessageBudget(limits, size: size)
    }

    /// Counts one member; false if the budget is exhausted.
    mutating func takeMember() -> Bool {
        if !isMail, number == nil { outer.noteMember() }
        return decoding.takeMember()
    }

    /// The budget of the current message.
    var message: MessageBudget {
        get { if let inner, inner.number == number { inner.budget } else { outer } }
        set { if number == nil { outer = newValue } else { inner?.budget = newValue } }
    }

    /// Goes on with a message in an archive, or outside of one; true if the message is new.
    mutating func goOn(with message: PendingItem.InnerMessage?) -> Bool {
        number = message?.number
        let isNew = message != nil && inner?.number != number
        decoding.goOn(isInMessage: message != nil, isNew: isNew)
        guard let message else { return false }
        if isNew { inner = (message.number, MessageBudget(options.message)) }
        inner?.budget.note(size: message.size)
        return isNew
    }

    /// Whether an item is within the current message.
    func includes(_ message: PendingItem.InnerMessage?) -> Bool { message?.number == number }

    /// Counts a message found in the archive, by its number.
    mutating func note(message number: Int) { messageCount = max(messageCount, number) }
}
