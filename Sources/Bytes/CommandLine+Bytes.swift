import Glibc

extension CommandLine {
    /// The path of this program; nil where there is no /proc.
    package static var programPath: String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The arguments as the system hands them over, the name of the program first; Swift repairs what
    /// is no UTF-8 in its copy of them.
    package static func argumentBytes() -> [[UInt8]] {
        (0..<Int(argc)).compactMap { index in
            guard let argument = unsafe unsafeArgv[index] else { return nil }
            let length = unsafe strlen(argument)
            return (0..<length).map { unsafe UInt8(bitPattern: argument[$0]) }
        }
    }
}
