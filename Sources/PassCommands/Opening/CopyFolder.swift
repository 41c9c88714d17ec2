internal import Bytes

/// A folder for copies that other programs are to open, which nobody else can look into.
package struct CopyFolder: Sendable {
    private let folder: TemporaryFolder

    init(in places: [String]) throws(FileError) {
        folder = try TemporaryFolder(named: "passconduit-copies-", in: places)
    }

    package var path: String { folder.path }

    package func remove() { folder.remove() }
}
