import Bytes
internal import Confinement
internal import Fetching
internal import FoundationEssentials
import Glibc
import Platform

/// The program `passconduit-fetch`: takes a folder as argument, reads a configuration and orders,
/// and writes events.
package enum Fetcher {
    private static let usage = """
        usage: passconduit-fetch FOLDER

        Fetches what passconduit asks for into files of FOLDER. It is started by passconduit, which
        sends it orders as lines of JSON and reads from it what became of them.

        """

    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // An error from writing to a closed output is reported like any other.
        signal(SIGPIPE, SIG_IGN)
        guard CommandLine.arguments.count == 2, let folder = CommandLine.arguments.last,
            !folder.isEmpty, !folder.hasPrefix("-")
        else { end(EX_USAGE, usage) }
        var lines = OrderLines(FileDescriptor(STDIN_FILENO))
        var first: [UInt8]?
        while first == nil, !lines.isAtEnd {
            lines.readMore()
            first = lines.next()
        }
        guard let first else { exit(0) }
        guard let given = try? JSONLines.value(FetchConfiguration.self, from: first) else {
            end(EX_USAGE, usage)
        }
        let configuration = given.withinBounds
        do throws(FileError) {
            _ = try ProcessRights(
                configuration, folder: folder, ProcessInfo.processInfo.environment
            )
            .apply()
        } catch {
            end(EX_OSERR, "passconduit-fetch: \(error.reason)\n")
        }
        let events = Events(to: FileDescriptor(STDOUT_FILENO))
        guard let orders = Orders(configuration, in: folder, events) else {
            end(EX_OSERR, "passconduit-fetch: \(FileError(.startProcess, ENOMEM).reason)\n")
        }
        orders.carryOut(lines)
        _exit(0)
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        say(text)
        exit(code)
    }

    static func say(_ text: String) {
        try? FileDescriptor(STDERR_FILENO).writeAll(Array(text.utf8).span)
    }
}

extension ProcessRights {
    /// Sockets, the files that the C library reads to resolve names, certificate authorities, and
    /// the folder.
    fileprivate init(
        _ configuration: FetchConfiguration, folder: String, _ environment: [String: String]
    ) {
        self.init()
        allowsSockets = true
        var files = [configuration.authorities].compactMap(\.self)
        files += configuration.authorityFolder?.split(separator: ":").map(String.init) ?? []
        readable = SystemFiles.common(environment) + SystemFiles.network
        readable += files.map { Array($0.utf8) }
        writable = [Array(folder.utf8)]
    }
}
