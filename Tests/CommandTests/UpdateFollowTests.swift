import Foundation
import Glibc
import Loopback
import PassFixtures
import Testing

@Suite("update --follow stores a newer version at once, and goes on after interruptions")
struct UpdateFollowTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("follow")
    }

    /// The time from a publication to the line about it. Usually 0.3 seconds.
    private static let soon = Duration.seconds(5)

    @Test("passes that are added while it runs are registered, removed ones no longer")
    func changes() async throws {
        let served = try ServedPasses(holder)
        try served.hold(["1", "2"])
        let following = try FollowingUpdate(holder)
        try await following.waits(for: "registration") { try served.registered == ["1", "2"] }

        var count = 0
        for version in 1...3 {
            try served.publish(["1"], version: version)
            count += 1
            let time = try await following.waits(forUpdates: count)
            #expect(time < Self.soon, "\(time)")
            #expect(try holder.gate("1") == "\(version)")
        }

        try served.hold(["3"])
        try await following.waits(for: "registration") { try served.registered.contains("3") }
        try served.publish(["3"], version: 1)
        let time = try await following.waits(forUpdates: count + 1)
        #expect(time < Self.soon, "\(time)")

        let removed = try holder.program.run(["remove", "--yes", "\(PassMaker.type)/2"])
        try #require(removed.status == 0)
        try await following.waits(for: "end of the registration") {
            try served.registered == ["1", "3"]
        }
        #expect(following.updated == ["1", "1", "1", "3"])
        #expect(following.errors == "")
    }

    @Test("after a restart of the server, or of the program, it continues with the last tag")
    func restarts() async throws {
        let served = try ServedPasses(holder)
        let serials = (1...5).map { "\($0)" }
        try served.hold(serials)
        do {
            let following = try FollowingUpdate(holder)
            try await following.waits(for: "registration") { try served.registered == serials }
            served.stop()
            try served.publish(["1"], version: 1)
            // The stream is opened again after growing delays.
            try await Task.sleep(for: .seconds(1))
            try served.start()
            try await following.waits(forUpdates: 1)
            try served.publish(["2"], version: 1)
            let time = try await following.waits(forUpdates: 2)
            #expect(time < Self.soon, "\(time)")
            #expect(following.updated == ["1", "2"])
            #expect(following.end().status == 0)
        }
        try served.publish(["3", "4"], version: 1)
        let again = try FollowingUpdate(holder)
        // No pass is due, so the stream says what has changed.
        let time = try await again.waits(forUpdates: 2)
        #expect(time < Self.soon, "\(time)")
        #expect(again.updated.sorted() == ["3", "4"])
        #expect(again.end().status == 0)
        #expect(try holder.program.run(["library", "check"]).status == 0)
    }

    @Test("one process follows a library, and SIGTERM ends it at once, amid requests as well")
    func end() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(["1": service, "2": service])
            service.replace { request in
                AnnouncingService.Kind(request) == .pass && request.number == 1
                    ? .status(304).delayed(.seconds(60)) : nil
            }
            let following = try FollowingUpdate(holder)
            try await server.waits { $0.count >= 2 }
            let second = try FollowingUpdate(holder)
            second.process.waitUntilExit()
            #expect(second.process.terminationStatus == 2)
            #expect(
                second.errors.hasSuffix(": another process follows the updates of this library\n"))
            let end = following.end()
            #expect(end.status == 0)
            #expect(end.time < .seconds(2), "\(end.time)")
            #expect(following.errors == "")
            // The lock ends with the process.
            let third = try FollowingUpdate(holder)
            let before = server.requests.count
            try await server.waits { $0.count > before }
            #expect(third.end(by: SIGINT).status == 0)
        }
    }

    @Test("a program that only listens takes little memory and rarely wakes up")
    func idle() async throws {
        let served = try ServedPasses(holder)
        try served.hold((1...20).map { "\($0)" })
        let following = try FollowingUpdate(holder)
        try await following.waits(for: "registration") { try served.registered.count == 20 }
        try await Task.sleep(for: .seconds(1))
        let (peak, wakeups) = (following.peak, following.wakeups)
        try await Task.sleep(for: .seconds(3))
        #expect(following.peak - peak < 4 << 10, "KiB")
        // Usually 10 a second.
        #expect(following.wakeups - wakeups < 3 * 50, "\(following.wakeups - wakeups)")
        #expect(following.processes.count == 3)
        #expect(following.end().status == 0)
    }
}
