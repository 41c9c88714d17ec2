internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore

extension Shell {
    /// Says that a list is empty and what to do next, on a terminal. Programs see that there is no
    /// record.
    func hint(_ text: String, json: Bool) {
        if console.output.isTerminal, !json { console.note(text) }
    }
}

extension LibraryArguments {
    /// Opens the library for a list. Nil before the first import, which is no error: the library is
    /// empty, and this is said. A folder named with --library must exist.
    func libraryIfAny(in shell: Shell) throws -> PassLibrary? {
        do {
            return try libraryAlone(in: shell.session)
        } catch let error as LibraryError {
            guard case .noSuchLibrary = error, library == nil else { throw error }
            shell.console.problem(error.advisedPhrase.localized.escaped)
            return nil
        }
    }
}

/// What to do with an empty library.
var emptyLibrary: String {
    localized("the library is empty (`passconduit import ~/Mail ~/Downloads` adds passes)")
}
