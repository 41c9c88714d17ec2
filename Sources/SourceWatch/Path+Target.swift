import Glibc
import MailSource

extension Path {
    /// The final target of a link, whether or not it exists; nil if the path is not a link, or if
    /// the links form a loop.
    var target: Path? {
        var path = self
        // The limit of the kernel.
        for count in 0...40 {
            guard let next = path.nextTarget else { return count == 0 ? nil : path }
            path = next
        }
        return nil
    }

    private var nextTarget: Path? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe withCString { path in
            unsafe readlink(path, &buffer, buffer.count)
        }
        guard count > 0, count < buffer.count else { return nil }
        let target = Path(buffer[..<count].map { UInt8(bitPattern: $0) })
        return target.bytes.first == UInt8(ascii: "/") ? target : parent.appending(target.bytes)
    }
}
