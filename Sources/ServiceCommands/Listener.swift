internal import HummingbirdCore
internal import NIOCore
internal import PassPresentation
internal import PassSession
internal import Platform
internal import ServiceLifecycle

/// A server whose errors name its address.
struct Listener<Server: Service>: Service {
    let server: Server
    let place: String

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw Failure.unreadable(
                place, reason: FileError(.open, error.errnoCode).reasonPhrase)
        }
    }
}
