internal import CGTK

/// A closure that C holds: GTK calls it on the main thread alone.
@safe
final class Listener: Sendable {
    private let body: @MainActor @Sendable (UnsafeMutableRawPointer?) -> Bool

    init(_ body: @escaping @MainActor @Sendable (UnsafeMutableRawPointer?) -> Bool) {
        unsafe self.body = body
    }

    /// A reference for C, which ends with ``release(_:)``.
    var held: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

    /// - Parameter argument: What the signal has beside its emitter.
    static func call(
        _ box: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer? = nil
    ) -> Bool {
        guard let box = unsafe box else { return false }
        let listener = unsafe Unmanaged<Listener>.fromOpaque(box).takeUnretainedValue()
        // It does not leave the thread that it came on.
        nonisolated(unsafe) let argument = unsafe argument
        return MainActor.assumeIsolated { unsafe listener.body(argument) }
    }
}

/// Has a closure called for a signal, whatever arguments that has.
@MainActor
func connect(
    _ emitter: UnsafeMutableRawPointer, _ signal: String,
    _ body: @escaping @MainActor @Sendable () -> Void
) {
    let listener = unsafe Listener { _ in
        body()
        return true
    }
    // Swapped, the first argument is what was given here, and the others may stay where they are.
    let function: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        _ = unsafe Listener.call($0)
    }
    unsafe g_signal_connect_data(
        emitter, signal, unsafeBitCast(function, to: GCallback.self), listener.held,
        { box, _ in unsafe release(box) }, G_CONNECT_SWAPPED)
}

/// As ``connect(_:_:_:)``, for a signal that wants to know whether it was dealt with.
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

/// As ``connect(_:_:_:)``, for a signal whose first argument is an object or a value; what is done with it
/// is its answer.
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
