package import Fetching
package import PassDownloads
internal import PassPresentation
internal import Platform

/// A started `passconduit-fetch`. It is started before confinement and connected to afterwards.
package struct FetchProgram {
    private let orders: FileDescriptor
    private let events: FileDescriptor
    private let configuration: FetchConfiguration

    private static let name = "passconduit-fetch"

    /// - Parameter folder: The folder for response bodies.
    package init(
        writingTo folder: String, _ configuration: FetchConfiguration
    ) throws(Failure) {
        guard var program = Program(ownedByThisOne: FetchProgram.name) else {
            throw .unreadable(
                FetchProgram.name,
                reason: Phrase("not installed"))
        }
        program.arguments = [Array(folder.utf8)]
        do throws(FileError) {
            (_, orders, events) = try program.startWithPipes()
        } catch {
            throw .unreadable(FetchProgram.name, reason: error.phrase)
        }
        self.configuration = configuration
    }

    /// Connects to the program. Call it after this process is confined.
    ///
    /// - Parameter interval: The interval of ``FetchProcess/Signal/pause``, in milliseconds.
    package func connect(pausingEvery interval: CInt = 200) throws(Failure) -> FetchProcess {
        do throws(FileError) {
            return try FetchProcess(
                orders: orders, events: events, configuration: configuration, interval: interval)
        } catch {
            throw .unreadable(FetchProgram.name, reason: error.phrase)
        }
    }
}
