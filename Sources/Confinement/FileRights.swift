/// Landlock access rights, as in include/uapi/linux/landlock.h.
struct FileRights: OptionSet {
    let rawValue: UInt64

    static let execute = FileRights(rawValue: 1 << 0)
    static let writeFile = FileRights(rawValue: 1 << 1)
    static let readFile = FileRights(rawValue: 1 << 2)
    static let readDirectory = FileRights(rawValue: 1 << 3)
    static let removeDirectory = FileRights(rawValue: 1 << 4)
    static let removeFile = FileRights(rawValue: 1 << 5)
    static let makeDirectory = FileRights(rawValue: 1 << 7)
    static let makeFile = FileRights(rawValue: 1 << 8)
    /// Moving or linking a file into another folder.
    static let refer = FileRights(rawValue: 1 << 13)
    static let truncate = FileRights(rawValue: 1 << 14)
    static let controlDevice = FileRights(rawValue: 1 << 15)

    static let reading: FileRights = [.readFile, .readDirectory]
    static let writing: FileRights = [
        .reading, .writeFile, .removeDirectory, .removeFile, .makeDirectory, .makeFile, .refer,
        .truncate,
    ]
    /// The rights that apply to files other than directories.
    static let ofFiles: FileRights = [
        .execute, .writeFile, .readFile, .truncate, .controlDevice,
    ]

    /// The rights known to a Landlock version; see Documentation/userspace-api/landlock.rst of
    /// Linux.
    static func known(to version: Int) -> FileRights {
        let count =
            switch version {
            case ...1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        return FileRights(rawValue: 1 << count - 1)
    }
}
