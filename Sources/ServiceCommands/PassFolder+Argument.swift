internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassSigning

extension PassFolder {
    /// Reads the pass folder at the path in an argument.
    init(argument: String) throws(Failure) {
        do throws(PassFolderError) {
            self = try PassFolder(contentsOf: URL(fileURLWithPath: argument, isDirectory: true))
        } catch {
            throw .unreadable(argument, reason: error.phrase)
        }
    }
}
