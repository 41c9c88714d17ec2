package import ArgumentParser
internal import Foundation
internal import Glibc
internal import Localization
internal import PassPresentation
package import PassSession
internal import Platform

/// The command line of the web service.
package struct PassconduitServe: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "passconduit-serve",
        abstract: "Publish passes, and serve them to the devices that hold them.",
        discussion: """
            The web service of an issuer, as Apple describes it in "Adding a Web Service to Update \
            Passes". A device that adds a pass registers at the pass's webServiceURL. Later it asks \
            which of its passes changed, and fetches these.

            A store is a folder with everything that is published, and all registrations. Passes can \
            be published while the service runs.

            Wallet requires HTTPS: put the service behind a proxy.

            EXAMPLES
              passconduit-serve publish --store /srv/passes ticket.pkpass
              passconduit-serve update pass.com.example.ticket E4 --store /srv/passes --set gate=7
              passconduit-serve run --store /srv/passes --prefix /wallet --push
              passconduit-serve list --store /srv/passes guest-
              passconduit-serve remove pass.com.example.ticket E4 --store /srv/passes
              passconduit-serve status --store /srv/passes
              passconduit-serve log --store /srv/passes signature

            EXIT CODES
              0   done
              1   nothing found, or no such pass
              2   some input could not be read, a value is refused, or output not written
              3   a pass is not trusted, has mistakes, or has no token
              64  the command line is wrong
            """,
        version: Release.version.description,
        subcommands: [
            Run.self, Publish.self, Update.self, VoidPass.self, List.self, Remove.self,
            Status.self, Log.self,
        ])

    package init() {}

    /// Runs the program and ends the process.
    package static func main() async -> Never {
        FileDescriptor.fillClosedStreams()
        signal(SIGPIPE, SIG_IGN)
        // ArgumentParser traps on terminals of fewer than 28 columns.
        unsafe setenv("COLUMNS", "80", 1)
        let environment = Environment(ProcessInfo.processInfo.environment)
        let shell = ServiceShell(environment, arguments: CommandLine.argumentBytes())
        let code = await run(Array(CommandLine.arguments.dropFirst()), in: shell)
        Glibc.exit(code.rawValue)
    }

    /// Runs a command and returns its exit code. Errors are reported.
    package static func run(
        _ arguments: [String], in shell: ServiceShell
    ) async -> PassSession.ExitCode {
        do {
            var command = try parseAsRoot(arguments)
            guard let verb = command as? any ServiceVerb else {
                // The parser's own commands, such as `help`.
                try command.run()
                return .done
            }
            var shell = shell
            shell.session.speak(verb.language.language)
            return try await verb.run(in: shell)
        } catch let error as FileError where error.code == EPIPE {
            return .done
        } catch let failure as Failure {
            shell.problem(failure.phrase.localized.escaped)
            return failure.exitCode
        } catch let error where exitCode(for: error).isSuccess {
            return (try? shell.print(fullMessage(for: error))) == nil ? .unreadable : .done
        } catch let error where exitCode(for: error) == .validationFailure {
            shell.problem(clause(message(for: error)).escaped)
            return .usage
        } catch {
            shell.problem(error.phrase.localized.escaped)
            return .unreadable
        }
    }
}
