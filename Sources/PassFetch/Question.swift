/// What a server was asked, as far as it matters for what its answer means.
struct Question: Sendable {
    /// Where the answer comes from, with what it is called in messages.
    var target: Target
    /// Where to go on; nil for all of the body.
    var offset: Int?
    /// With what the rest was asked for.
    var validator: String?
    /// Whether the body was asked for only if it changed.
    var isConditional = false
    var maximumSize: Int
}
