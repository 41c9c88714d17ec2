/// A server-sent event (WHATWG HTML, 9.2).
package struct ServerSentEvent: Sendable, Equatable {
    /// The ID of this event or, without one, the last ID before it; empty if there was none.
    package let id: String
    /// The type of the event; `message` if the server states none.
    package let event: String
    package let data: String

    package init(id: String, event: String, data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}
