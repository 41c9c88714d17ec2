import Databases
import Foundation
import PassFixtures
import PassModel
import PassSigning
import Synchronization

@testable import PassService

/// An SQLite store that records the outcomes of pushes, and fails on demand.
final class TestStore: Sendable {
    private struct State {
        var outcomes: [PushOutcome] = []
        var claims = 0
        var isAway = false
        var refusals = 0
    }

    private let state = Mutex(State())
    private let store: ServiceStore

    init() async throws {
        store = try await StorePlace().open()
    }

    /// Publishes a new version of a pass, and registers these devices for it. Their push tokens are
    /// `token(number)`.
    func publish(_ devices: ClosedRange<Int>, type: String = PushSite.type) async throws {
        var folder = Issuer.template
        let text = String(decoding: folder.pass ?? [], as: UTF8.self)
        folder.files["pass.json"] = Array(text.replacing(PassMaker.type, with: type).utf8)
        let template = try PublishedTemplate(folder)
        let pass = PassIdentity(passTypeIdentifier: type, serialNumber: "\(devices)")
        func publish() async throws {
            let row = Issuer.row(pass.serialNumber, gate: UUID().uuidString)
            _ = try await store.publish([row], of: template)[0].get()
        }
        if try await store.pass(pass) == nil {
            try await publish()
            for number in devices {
                _ = try await store.register("\(number)", pushToken: token(number), for: pass)
            }
        }
        try await publish()
    }

    /// Makes the store fail, or work again.
    func setAway(_ isAway: Bool) {
        state.withLock { $0.isAway = isAway }
    }

    /// Makes the next settlements fail.
    func refuseSettlements(_ count: Int) {
        state.withLock { $0.refusals = count }
    }

    /// Ends all leases and postponements.
    func makeDue() async throws {
        try await store.write { db in
            try db.rows("UPDATE outbox SET due = 0")
            return
        }
    }

    /// Whether no push is left.
    var isEmpty: Bool {
        get async throws { try await status.pendingPushes == 0 }
    }

    var status: ServiceStatus {
        get async throws { try await store.status() }
    }

    /// The outcomes of the settled pushes.
    var outcomes: [PushOutcome] { state.withLock { $0.outcomes } }
    /// The number of times that the sender looked for pushes.
    var claims: Int { state.withLock { $0.claims } }

    var outbox: PushOutbox {
        PushOutbox(
            claim: { types, excepted, limit, lease, time throws(ServiceError) in
                try self.state.withLock { state throws(ServiceError) in
                    state.claims += 1
                    if state.isAway { throw .locked("store") }
                }
                return try await self.store.claimPushes(
                    ofTypes: types, except: excepted, limit: limit, lease: lease, at: time)
            },
            settle: { outcomes, time throws(ServiceError) in
                try self.state.withLock { state throws(ServiceError) in
                    guard state.refusals > 0 else { return }
                    state.refusals -= 1
                    throw .locked("store")
                }
                try await self.store.settle(outcomes, at: time)
                self.state.withLock { $0.outcomes += outcomes.map(\.1) }
            })
    }
}
