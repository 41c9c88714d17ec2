internal import CGTK
internal import Foundation

/// Runs a closure on the main thread in GLib's main loop. The queue of Swift's main actor is not
/// served while that loop runs.
func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Once(body)).toOpaque()
    unsafe g_idle_add_full(
        G_PRIORITY_DEFAULT,
        { box in
            if let box = unsafe box {
                let once = unsafe Unmanaged<Once>.fromOpaque(box).takeUnretainedValue()
                MainActor.assumeIsolated { once.body() }
            }
            return 0
        }, box, { unsafe release($0) })
}

/// Runs `work` on a new thread and passes its result to the main thread. It may block: a blocked
/// Swift task would hold one of the few threads of the task pool.
@MainActor
func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value,
    then: @escaping @MainActor @Sendable (Value) -> Void
) {
    let continuation = Continuation(then)
    Thread.detachNewThread {
        let value = work()
        onMain { continuation.resume(with: value) }
    }
}

/// A continuation for the main thread. It releases its widgets there, whichever thread holds it
/// last.
@MainActor
private final class Continuation<Value: Sendable> {
    private var body: (@MainActor @Sendable (Value) -> Void)?

    init(_ body: @escaping @MainActor @Sendable (Value) -> Void) { self.body = body }

    func resume(with value: Value) {
        body?(value)
        body = nil
    }
}

/// Runs a closure on the main thread after a delay, unless it is cancelled.
@MainActor
final class Timer {
    private var source: guint = 0

    init(milliseconds: UInt32, _ body: @escaping @MainActor @Sendable () -> Void) {
        let once = Once { [weak self] in
            self?.source = 0
            body()
        }
        source = unsafe g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds,
            { box in
                if let box = unsafe box {
                    let once = unsafe Unmanaged<Once>.fromOpaque(box).takeUnretainedValue()
                    MainActor.assumeIsolated { once.body() }
                }
                return 0
            }, Unmanaged.passRetained(once).toOpaque(), { unsafe release($0) })
    }

    func cancel() {
        if source != 0 { g_source_remove(source) }
        source = 0
    }
}

private final class Once: Sendable {
    let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) {
        self.body = body
    }
}

/// Releases an object that C held.
func release(_ box: UnsafeMutableRawPointer?) {
    if let box = unsafe box { unsafe Unmanaged<AnyObject>.fromOpaque(box).release() }
}
