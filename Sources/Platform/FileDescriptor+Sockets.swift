import Glibc

extension FileDescriptor {
    /// Connects to a socket of this computer by its path, such as that of ssh-agent.
    package static func connected(toSocket path: String) throws(FileError) -> FileDescriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room, !name.contains(0) else {
            throw FileError(.open, ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw FileError(.open, errno) }
        let answer = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard answer == 0 else {
            let code = errno
            FileDescriptor(number).close()
            throw FileError(.open, code)
        }
        return FileDescriptor(number)
    }
}
