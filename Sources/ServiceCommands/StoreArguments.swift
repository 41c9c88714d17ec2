internal import ArgumentParser
internal import Foundation
internal import PassService
internal import PassSession

/// The options of all commands.
struct StoreArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the store, or postgresql://USER@HOST/DATABASE.", valueName: "store"),
        completion: .directory)
    var store: String

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws {
        if store.isEmpty { throw ValidationError("--store needs the name of a folder") }
    }

    func open(
        creating: Bool, limits: ServiceLimits = ServiceLimits()
    ) async throws(ServiceError) -> ServiceStore {
        if ServiceStore.isAddress(store) {
            return try await ServiceStore(postgreSQL: store, creating: creating, limits: limits)
        }
        return try await ServiceStore(
            at: URL(fileURLWithPath: store, isDirectory: true).standardizedFileURL,
            creating: creating, limits: limits)
    }
}
