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

    /// Writes a file atomically. The file dialogue has asked before overwriting.
    func export(_ octets: Data, to path: String) throws {
        try session.write(Array(octets), to: path, overwriting: true)
    }

    /// Writes passes into a folder under unused names, each file atomically. Stops at the first
    /// write error, since further writes would fail too.
    ///
    /// - Returns: The number of files written, and escaped clauses about the others.
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
            problems.append(error.phrase.localized.escaped)
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

    /// Reports an error when its window is closed, to standard error and as a notification.
    func report(_ problem: String, titled title: String) {
        session.report(problem)
        DesktopNotification(title: title, lines: [problem]).show(in: session.environment)
    }
}
