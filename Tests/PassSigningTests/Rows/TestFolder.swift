import Foundation
import PassSigning

/// A folder that is removed after a test.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-data-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to path: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(Array(bytes)).write(to: file)
        return file
    }

    /// The rows of a file with these contents.
    func entries(
        _ bytes: some Sequence<UInt8>, named name: String = "data.csv",
        limits: RowLimits = RowLimits()
    ) throws -> [TestEntry] {
        try RowFile(contentsOf: write(bytes, to: name)).entries(limits: limits)
    }
}

/// What a reader returned, to be compared.
struct TestEntry: Equatable, CustomStringConvertible {
    let line: Int
    var values: [String: String]?
    var fault: RowFault?

    static func row(_ line: Int, _ values: [String: String]) -> TestEntry {
        TestEntry(line: line, values: values)
    }

    static func bad(_ line: Int, _ fault: RowFault) -> TestEntry {
        TestEntry(line: line, fault: fault)
    }

    var description: String { "\(line): \(values?.description ?? "\(fault as Any)")" }
}

extension RowFile {
    func entries(limits: RowLimits = RowLimits()) throws -> [TestEntry] {
        var reader = try reader(limits: limits)
        var entries: [TestEntry] = []
        while let entry = try reader.next() {
            switch entry {
            case .row(let row):
                let values = row.columns.names.compactMap { name in row[name].map { (name, $0) } }
                entries.append(.row(row.line, Dictionary(uniqueKeysWithValues: values)))
            case .bad(let line, let fault): entries.append(.bad(line, fault))
            }
        }
        return entries
    }
}
