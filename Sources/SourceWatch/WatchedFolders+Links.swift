import Glibc
import MailSource

/// Of what is added to a file the system tells where the file is, and not where a link leads to it.
extension WatchedFolders {
    /// Watches the file that a link leads to, whether it is there yet or not. Beyond the limit they are
    /// not: a folder may hold a million links.
    mutating func follow(_ link: Path, of root: Int) {
        guard links.count < linkLimit, let target = link.target else { return }
        links.insert(link)
        watch(file: target, of: root, link: link)
    }

    /// A name leads to another file now, or to none.
    mutating func unfollow(_ link: Path) {
        guard links.contains(link) else { return }
        leave { $0.link == link }
    }
}

extension Path {
    /// What a link leads to in the end, whether that is there or not; nil for what is no link, and for links
    /// that lead in a circle.
    var target: Path? {
        var path = self
        // As many as the system follows.
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
