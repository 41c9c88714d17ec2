internal import Bytes
internal import DesktopIntegration
internal import Foundation
internal import Glibc
internal import MailSource
internal import PassPresentation
internal import PassSession
internal import PassStore

extension WindowSession {
    func copyFolder() throws -> CopyFolder {
        let places = [session.environment["TMPDIR"], "/tmp", "/var/tmp"]
        return try CopyFolder(in: places.compactMap(\.self))
    }

    /// Writes a file whole or not at all. Whoever named it was asked whether it may be overwritten.
    func export(_ octets: Data, to path: String) throws {
        try session.write(Array(octets), to: path, overwriting: true)
    }

    /// Writes passes into a folder, each whole or not at all, under names that nothing there has. It ends with
    /// the first that cannot be written: the others could not either.
    ///
    /// - Returns: How many were written, and what was wrong with those that were not, as escaped clauses.
    func export(
        _ passes: [StoredPass], into folder: String
    ) -> (count: Int, problems: [String]) {
        var count = 0
        var problems: [String] = []
        do {
            let library = try library(for: .reading)
            for pass in passes {
                do {
                    let octets = try library.octets(of: pass.current)
                    let path = WindowSession.freePath(for: pass, in: folder)
                    try session.write(Array(octets), to: path, overwriting: false)
                    count += 1
                } catch let error as LibraryError {
                    problems.append(error.phrase.localized.escaped)
                }
            }
        } catch {
            problems.append(localized(error).escaped)
        }
        return (count, problems)
    }

    private static func freePath(for pass: StoredPass, in folder: String) -> String {
        let name = fileName(pass.serialNumber)
        let stem = name.dropLast(".pkpass".count)
        var path = "\(folder)/\(name)"
        var number = 2
        while FileManager.default.fileExists(atPath: path), number < 10_000 {
            path = "\(folder)/\(stem)-\(number).pkpass"
            number += 1
        }
        return path
    }

    /// Says what went wrong where no window does that any more.
    func report(_ problem: String, titled title: String) {
        session.report(problem)
        DesktopNotification(title: title, lines: [problem]).show(in: session.environment)
    }
}
