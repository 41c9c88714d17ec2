import Glibc

/// What the leak detector asks for. Swift keeps some references with a tag in them, which it does not
/// see; what C libraries hold is looked at.
@c(__lsan_default_suppressions)
public func leakSuppressions() -> UnsafePointer<CChar>? {
    unsafe UnsafePointer(LeakSuppressions.text)
}

private enum LeakSuppressions {
    nonisolated(unsafe) static let text = unsafe strdup("leak:swift_slowAlloc\n")
}
