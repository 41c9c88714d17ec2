package import Platform

/// A private folder for copies that other programs open.
///
/// The copies outlive the process: a mail program reads attachments when it sends the mail. Folders
/// of earlier runs are removed once they are a day old.
package struct CopyFolder: Sendable {
    private let folder: TemporaryFolder

    package init(in places: [String]) throws(FileError) {
        folder = try TemporaryFolder(
            named: "passconduit-copies-", in: places, sweepingAfter: 24 * 3600)
    }

    package var path: String { folder.path }
}
