internal import CGTK

/// Runs a closure on the main thread, when GLib's loop gets to it: nobody serves the queue of Swift's own
/// main actor while that loop runs.
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

/// Does something elsewhere and goes on with its result on the main thread.
func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value,
    then: @escaping @MainActor @Sendable (Value) -> Void
) {
    Task.detached {
        let value = await work()
        onMain { then(value) }
    }
}

/// Something to be done on the main thread after a while, unless it is called off.
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

/// Lets go of an object that C held.
func release(_ box: UnsafeMutableRawPointer?) {
    if let box = unsafe box { unsafe Unmanaged<AnyObject>.fromOpaque(box).release() }
}
