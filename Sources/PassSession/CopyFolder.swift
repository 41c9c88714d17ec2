package import Bytes

/// A folder for copies that other programs are to open, which nobody else can look into.
///
/// They may be opened long after: a mail program reads what is attached when the mail is sent. What is left of
/// earlier runs is removed when it is a day old.
package struct CopyFolder: Sendable {
    private let folder: TemporaryFolder

    package init(in places: [String]) throws(FileError) {
        folder = try TemporaryFolder(
            named: "passconduit-copies-", in: places, sweepingAfter: 24 * 3600)
    }

    package var path: String { folder.path }
}
