/// The budgets of the message or file that is unpacked. Messages in an archive have a budget each,
/// since they do not depend on one another.
struct UnpackingBudgets {
    /// What nested contents may take.
    var decoding: DecodingBudget
    /// The number of messages found in the archive so far.
    private(set) var messageCount = 0

    private let options: ImportOptions
    /// The budget of what is outside of the messages in an archive.
    private var outer: MessageBudget
    /// The last message in an archive. It may continue after items outside of it.
    private var inner: (number: Int, budget: MessageBudget)?
    /// The number of the current message in the archive; nil outside of one.
    private var number: Int?

    /// - Parameter size: The size of the message or file, in bytes, as far as it is known.
    init(_ options: ImportOptions, size: Int = 0) {
        self.options = options
        decoding = DecodingBudget(options.containers, size: size)
        outer = MessageBudget(options.message, size: size)
    }

    /// The budget of the current message.
    var message: MessageBudget {
        get { if let inner, inner.number == number { inner.budget } else { outer } }
        set { if number == nil { outer = newValue } else { inner?.budget = newValue } }
    }

    /// Goes on with a message in an archive, or outside of one; true if the message is new.
    mutating func goOn(with message: PendingItem.InnerMessage?) -> Bool {
        number = message?.number
        guard let message else { return false }
        let isNew = inner?.number != message.number
        if isNew { inner = (message.number, MessageBudget(options.message)) }
        inner?.budget.note(size: message.size)
        return isNew
    }

    /// Whether an item is within the current message.
    func includes(_ message: PendingItem.InnerMessage?) -> Bool { message?.number == number }

    /// Counts a message found in the archive, by its number.
    mutating func note(message number: Int) { messageCount = max(messageCount, number) }
}
