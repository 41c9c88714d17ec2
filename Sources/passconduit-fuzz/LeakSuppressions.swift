import Glibc

/// Called by LeakSanitizer. Suppresses Swift's tagged references, which it cannot follow; leaks in
/// C libraries are reported.
@c(__lsan_default_suppressions)
public func leakSuppressions() -> UnsafePointer<CChar>? {
    unsafe UnsafePointer(LeakSuppressions.text)
}

private enum LeakSuppressions {
    nonisolated(unsafe) static let text = unsafe strdup("leak:swift_slowAlloc\n")
}
