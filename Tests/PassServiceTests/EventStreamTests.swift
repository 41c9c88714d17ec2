import Hummingbird
import NIOCore
import PassFixtures
import Synchronization
import Testing

@testable import PassService

@Suite("Changes that a client has not read yet are one event")
struct EventStreamTests {
    private let loop = EventLoopGroupProvider.singleton.eventLoopGroup.any()

    private func next(
        _ stream: EventStream, _ time: TimeAmount = .seconds(10)
    ) async -> EventStream.Event {
        await stream.next(within: time, on: loop)
    }

    @Test("types are merged, and changes up to the tag are ignored")
    func merged() async {
        let stream = EventStream("d1", at: 10) {}
        stream.add(["a": 9, "b": 10], upTo: 10)
        #expect(await next(stream, .milliseconds(50)) == .silence)
        for tag in Int64(11)...100_000 { stream.add(["c": tag, "a": 11, "b": 1], upTo: tag) }
        #expect(
            await next(stream) == .changes(ChangedTypes(types: ["a", "c"], tag: 100_000)))
        stream.add(["a": 100_000], upTo: 100_001)
        #expect(await next(stream, .milliseconds(50)) == .silence)
        #expect(stream.tag == 100_001)
    }

    @Test("a change and the end wake the waiting task at once")
    func wakes() async {
        let stream = EventStream("d1", at: 1) {}
        let start = ContinuousClock.now
        async let first = next(stream)
        stream.add(["a": 2], upTo: 2)
        #expect(await first == .changes(ChangedTypes(types: ["a"], tag: 2)))
        async let second = next(stream)
        stream.end()
        #expect(await second == .end)
        #expect(await next(stream) == .end)
        #expect(.now - start < .seconds(5))
    }

    @Test("changes come before the end")
    func last() async {
        let stream = EventStream("d1", at: 1) {}
        stream.add(["a": 2], upTo: 2)
        stream.end()
        #expect(await next(stream) == .changes(ChangedTypes(types: ["a"], tag: 2)))
        #expect(await next(stream) == .end)
    }

    @Test("a tag that is lower than before ends the stream")
    func replaced() async {
        let stream = EventStream("d1", at: 5) {}
        stream.add([:], upTo: 4)
        #expect(await next(stream) == .end)
    }

    @Test("a cancelled task does not wait")
    func cancelled() async {
        let stream = EventStream("d1", at: 5) {}
        let loop = loop
        let task = Task { await stream.next(within: .seconds(10), on: loop) }
        task.cancel()
        let start = ContinuousClock.now
        #expect(await task.value == .end)
        #expect(.now - start < .seconds(5))
    }

    @Test("a stream is closed once, with its last reference")
    func closed() {
        let count = Mutex(0)
        var references = [EventStream("d1", at: 1) { count.withLock { $0 += 1 } }]
        references.append(references[0])
        references.removeFirst()
        #expect(count.withLock(\.self) == 0)
        references = []
        #expect(count.withLock(\.self) == 1)
    }
}
