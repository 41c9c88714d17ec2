package import Bytes
import Glibc

/// What a kernel does for a process that asked to be confined.
package struct Protections: Sendable, Equatable {
    /// No program that is started gains rights, by setuid or otherwise.
    package internal(set) var forbidsNewPrivileges = false
    /// The version of Landlock that guards the files; 0 where nothing does.
    package internal(set) var landlock = 0
    /// Landlock keeps signals and sockets without a file from processes outside.
    package internal(set) var confinesSignals = false
    /// Each system call is looked at: no sockets, no programs, no other processes.
    package internal(set) var filtersCalls = false

    package var confinesFiles: Bool { landlock >= 1 }
    package var confinesTruncation: Bool { landlock >= 3 || filtersCalls }
    package var confinesTCP: Bool { landlock >= 4 }
    package var confinesDevices: Bool { landlock >= 5 }

    /// What this kernel can do: tried in a thread that ends with it, so that the process stays free.
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
    let result = Result { () throws(FileError) in try Confinement().apply() }
    unsafe answer?.assumingMemoryBound(to: Result<Protections, FileError>.self).pointee = result
    return nil
}
