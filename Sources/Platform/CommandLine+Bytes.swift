import CLinux
import Glibc

extension CommandLine {
    /// The path of the running program; nil if it cannot be determined.
    package static var programPath: String? {
        guard
            let path = unsafe realpath("/proc/self/exe", nil)
                // Without /proc.
                ?? linux_started_path().flatMap({ unsafe realpath($0, nil) })
        else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The raw arguments, program name first. `CommandLine.arguments` replaces invalid UTF-8.
    package static func argumentBytes() -> [[UInt8]] {
        (0..<Int(argc)).compactMap { index in
            guard let argument = unsafe unsafeArgv[index] else { return nil }
            let length = unsafe strlen(argument)
            return (0..<length).map { unsafe UInt8(bitPattern: argument[$0]) }
        }
    }
}
