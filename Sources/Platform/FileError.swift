internal import Glibc

/// The error of a system call on a file.
package struct FileError: Error, Hashable, Sendable, Codable {
    /// The failed operation.
    package enum Operation: Hashable, Sendable, Codable {
        case open, read, write, create, copy, rename, remove, empty, lock, sync, watch
        /// Reading file metadata.
        case examine
        case makeFolder, makeTemporaryFile, makePipe
        case makeFolderAt(String)
        case makeFolderIn(String)
        /// Starting a program.
        case start(String)
        case startProcess, startThread
        /// Confining the process: Landlock rules and the system call filter.
        case makeRules, addRule, applyRules, filterSystemCalls
    }

    package let operation: Operation
    /// The system's errno.
    package let code: CInt

    package init(_ operation: Operation, _ code: CInt) {
        self.operation = operation
        self.code = code
    }

    /// The system's error message alone: "no space left on device".
    package var reason: String {
        // Keep the wording of strerror, which people search for, but begin in lower case.
        let words = unsafe String(cString: strerror(code))
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
