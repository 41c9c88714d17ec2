import Foundation
import PassFixtures
import PassService
import Testing

/// The databases that a store can use.
enum Backend: CaseIterable, CustomTestStringConvertible {
    case sqlite, postgreSQL

    var testDescription: String {
        self == .sqlite ? "SQLite" : "PostgreSQL"
    }

    /// The databases that can be tested here. `PostgreSQLServer.missing` says why one cannot.
    static var here: [Backend] {
        PostgreSQLServer.missing == nil ? allCases : [.sqlite]
    }
}

/// A place for a store, which is removed when the tests end.
struct StorePlace {
    let backend: Backend
    /// A folder or an address.
    let text: String

    init(_ backend: Backend = .sqlite) throws {
        self.backend = backend
        text =
            switch backend {
            case .sqlite: try fixtureFolder().appending(path: "store").path
            case .postgreSQL: try PostgreSQLServer.shared.get().schema()
            }
    }

    func open(
        creating: Bool = true, limits: ServiceLimits = ServiceLimits()
    ) async throws -> ServiceStore {
        switch backend {
        case .sqlite:
            try await ServiceStore(at: URL(filePath: text), creating: creating, limits: limits)
        case .postgreSQL:
            try await ServiceStore(postgreSQL: text, creating: creating, limits: limits)
        }
    }
}
