internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassSigning

extension PassFolder {
    /// Reads the folder of a pass that an argument names.
    init(argument: String) throws(Failure) {
        do throws(PassFolderError) {
            self = try PassFolder(contentsOf: URL(fileURLWithPath: argument, isDirectory: true))
        } catch {
            throw .unreadable(argument, reason: error.phrase)
        }
    }
}
