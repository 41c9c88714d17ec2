/// What a server was asked, as far as it matters for what its answer means.
struct ResourceRequest: Sendable {
    /// Where the answer comes from, with what it is called in messages.
    var target: Target
    /// Where to go on; nil for all of the body.
    var offset: Int?
    /// With what the rest was asked for.
    var validator: String?
    /// How many bytes the whole body has, where that was said.
    var expectedSize: Int?
    /// Whether the body was asked for only if it changed.
    var isConditional = false
    var maximumSize: Int

    /// Whether what is asked for can have that size.
    func expects(_ size: Int?) -> Bool {
        size == nil || expectedSize == nil || size == expectedSize
    }
}
