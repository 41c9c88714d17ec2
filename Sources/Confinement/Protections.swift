import Glibc
package import Platform

/// The protections in force for a confined process.
package struct Protections: Sendable, Equatable {
    /// Started programs cannot gain privileges by setuid or otherwise.
    package internal(set) var forbidsNewPrivileges = false
    /// The Landlock version in use for files; 0 if none.
    package internal(set) var landlock = 0
    /// Landlock forbids signals and abstract sockets to processes outside.
    package internal(set) var confinesSignals = false
    /// A seccomp filter is in force: no sockets, programs or other processes unless allowed.
    package internal(set) var filtersCalls = false

    package var confinesFiles: Bool { landlock >= 1 }
    package var confinesTruncation: Bool { landlock >= 3 || filtersCalls }
    package var confinesTCP: Bool { landlock >= 4 }
    package var confinesDevices: Bool { landlock >= 5 }

    /// The protections that this kernel offers, tried in a temporary thread, so that the process
    /// itself is not confined.
    package static func offered() throws(FileError) -> Protections {
        var result = Result<Protections, FileError>.success(Protections())
        var thread = pthread_t()
        let code = unsafe withUnsafeMutablePointer(to: &result) { result in
            let code = unsafe pthread_create(&thread, nil, tryConfinement, result)
            return code == 0 ? pthread_join(thread, nil) : code
        }
        guard code == 0 else { throw FileError(.startThread, code) }
        return try result.get()
    }
}

private func tryConfinement(_ answer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let result = Result { () throws(FileError) in try ProcessRights().apply() }
    unsafe answer?.assumingMemoryBound(to: Result<Protections, FileError>.self).pointee = result
    return nil
}
