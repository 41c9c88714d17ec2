import Glibc
import MailSource
import Platform

/// The named files, opened before this program gives up its rights. They stay open to its end.
///
/// After that, the program may read these files, but none that was renamed to one of their paths.
///
/// For example: `options.held = HeldFiles(inputs)`
package struct HeldFiles: Sendable {
    private var files: [Path: FileDescriptor] = [:]

    /// The number of files that are held. For the others, a replacement is reported.
    private static let most = 256

    package init() {}

    package init(_ inputs: [Input]) {
        for input in inputs {
            guard files.count < HeldFiles.most else { break }
            // Opening a pipe would wake up its writer.
            guard case .path(let path) = input, path.isRegularFile else { continue }
            let number = unsafe path.withCString {
                unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            }
            if number >= 0 { files[path] = FileDescriptor(number) }
        }
    }

    subscript(path: Path) -> FileDescriptor? { files[path] }
}
