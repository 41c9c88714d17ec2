internal import Fetching
import Glibc
import Platform

/// Writes events, one per line.
struct Events {
    private let file: FileDescriptor

    init(to file: FileDescriptor) {
        self.file = file
    }

    func send(_ event: FetchEvent) {
        guard let line = try? JSONLines.line(event) else { return }
        // Exit, because the reader has ended.
        if (try? file.writeAll(line.span)) == nil { _exit(0) }
    }
}
