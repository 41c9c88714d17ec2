internal import CGTK

/// A closure held by C. GTK calls it on the main thread only.
@safe
final class Listener: Sendable {
    private let body: @MainActor @Sendable (UnsafeMutableRawPointer?) -> Bool

    init(_ body: @escaping @MainActor @Sendable (UnsafeMutableRawPointer?) -> Bool) {
        unsafe self.body = body
    }

    /// A retained pointer for C; ``release(_:)`` balances it.
    var held: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

    /// - Parameter argument: The signal's argument besides its emitter.
    static func call(
        _ box: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer? = nil
    ) -> Bool {
        guard let box = unsafe box else { return false }
        let listener = unsafe Unmanaged<Listener>.fromOpaque(box).takeUnretainedValue()
        // It stays on the thread on which GTK passed it.
        nonisolated(unsafe) let argument = unsafe argument
        return MainActor.assumeIsolated { unsafe listener.body(argument) }
    }
}

/// Connects a closure to a signal and ignores the signal's arguments.
@MainActor
func connect(
    _ emitter: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping @MainActor @Sendable () -> Void
) {
    let listener = unsafe Listener { _ in
        body()
        return true
    }
    // With G_CONNECT_SWAPPED, the user data is the first argument; the others can be ignored.
    let function: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        _ = unsafe Listener.call($0)
    }
    unsafe g_signal_connect_data(
        emitter, signal, unsafeBitCast(function, to: GCallback.self), listener.held,
        { box, _ in unsafe release(box) }, G_CONNECT_SWAPPED)
}

/// Like ``connect(_:_:_:)``, for a signal that asks whether it was handled.
@MainActor
func connectAnswering(
    _ emitter: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping @MainActor @Sendable () -> Bool
) {
    let listener = unsafe Listener { _ in body() }
    let function: @convention(c) (UnsafeMutableRawPointer?) -> gboolean = {
        unsafe Listener.call($0) ? 1 : 0
    }
    unsafe g_signal_connect_data(
        emitter, signal, unsafeBitCast(function, to: GCallback.self), listener.held,
        { box, _ in unsafe release(box) }, G_CONNECT_SWAPPED)
}

/// Like ``connect(_:_:_:)``, for a signal whose first argument is an object or a value. The
/// closure's result is returned to GTK.
@MainActor
func connectWithArgument(
    _ emitter: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping @MainActor @Sendable (UnsafeMutableRawPointer?) -> Bool
) {
    let function: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean =
        {
            unsafe Listener.call($0, $1) ? 1 : 0
        }
    unsafe g_signal_connect_data(
        emitter, signal, unsafeBitCast(function, to: GCallback.self), Listener(body).held,
        { box, _ in unsafe release(box) }, G_CONNECT_SWAPPED)
}
