import Bytes
import MIME
import MailContainers
import PassFixtures
import Testing

@Suite("Reading a hostile winmail.dat takes time in proportion to its size")
struct TNEFTrapTests {
    private typealias Stream = TNEFStream

    /// Wrong lengths and counts, each before or in an attachment, which is then lost.
    @Test(arguments: [0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1000])
    func lengthIsNotBelieved(length: Int) throws {
        let lie = Stream.number(length)
        let lies: [[UInt8]] = [
            Stream.attribute(0x0006_800F, [1], length: length),
            Stream.attribute(0x0001_8010, [1], length: length),
            Stream.attribute(0x7777_7777, [1], length: length),
            Stream.properties([Stream.property(3, 1, [1, 2, 3, 4])], announced: length),
            Stream.properties([Stream.property(0x0102, 0x3701, Stream.number(1) + lie)]),
            Stream.properties([Stream.property(0x0102, 0x3701, lie)]),
            Stream.properties([Stream.property(0x1102, 0x3701, lie + lie)]),
            Stream.properties([Stream.property(0x1003, 0x3701, lie)]),
            Stream.properties([Stream.property(0x1048, 0x3701, lie + lie)]),
            Stream.properties([
                Stream.property(
                    3, 0x8000,
                    [UInt8](repeating: 0, count: 16) + Stream.number(1) + lie + [1, 2, 3, 4])
            ]),
            Stream.properties([
                Stream.property(3, 0x8000, [UInt8](repeating: 0, count: 16) + lie + [1, 2, 3, 4])
            ]),
        ]
        for (index, attribute) in lies.enumerated() {
            let whole = [Stream.rendering, Stream.title("a"), Stream.data("1"), Stream.rendering]
            let message = try TNEFMessage(SpooledBytes(Stream.make(whole + [attribute])))
            #expect(message.attachments.map(\.header.names) == [["a"]], "\(index)")
            #expect(message.problems.map(\.code) == ["truncated"], "\(index)")
        }
    }

    @Test func limitsAreTold() throws {
        let attachment = [
            Stream.rendering, Stream.title("ab"), Stream.data("1"),
            Stream.properties([Stream.longName("a"), Stream.propertyData("")]),
        ]
        let octets = SpooledBytes(Stream.make(attachment + attachment))
        let edges: [(WritableKeyPath<TNEFLimits, Int>, Int, (Int) -> TNEFProblem)] = [
            (\.attributes, 9, TNEFProblem.tooManyAttributes),
            (\.attachments, 2, TNEFProblem.tooManyAttachments),
            (\.properties, 4, TNEFProblem.tooManyProperties),
            (\.names, 14, TNEFProblem.namesTooLong),
        ]
        for (limit, edge, problem) in edges {
            var limits = TNEFLimits()
            limits[keyPath: limit] = edge
            let whole = try TNEFMessage(octets, limits: limits)
            #expect(whole.attachments.count == 2)
            #expect(whole.problems.isEmpty, "\(whole.problems)")
            limits[keyPath: limit] = edge - 1
            let cut = try TNEFMessage(octets, limits: limits)
            #expect(cut.problems == [problem(edge - 1)])
        }
    }

    @Test func bodiesAreLimited() throws {
        // Announces 3000 bytes of text.
        let rtf = Stream.number(12) + Stream.number(3000) + Array("LZFu".utf8) + Stream.number(0)
        let zeros = [UInt8](repeating: 0, count: 2000)
        let property = Stream.property(0x0102, 0x1009, values: [rtf + zeros])
        let list = Stream.attribute(0x0006_9003, Stream.number(1) + property, level: 1)
        let octets = SpooledBytes(Stream.make([list]))
        var limits = TNEFLimits()
        for (limit, reason) in [(3000, .truncated), (2999, .tooLarge(limit: 2999))]
            as [(Int, BodyProblem.Reason)]
        {
            limits.bodies = limit
            let problem = BodyProblem(name: "body.rtf", reason: reason)
            #expect(try TNEFMessage(octets, limits: limits).problems == [.body(problem)])
        }
    }

    @Test("a damaged list of properties may have held a body", arguments: [100, 3000])
    func damagedList(count: Int) throws {
        let property = Stream.property(0x0777, 1, [UInt8](repeating: 0, count: count))
        let list = Stream.attribute(0x0006_9003, Stream.number(1) + property, level: 1)
        let octets = SpooledBytes(Stream.make([list]))
        let damaged = [TNEFProblem.body(BodyProblem(name: "body", reason: .damaged))]
        #expect(try TNEFMessage(octets).problems == (count > 2000 ? damaged : []))
        #expect(try TNEFMessage(octets, texts: .all).problems == damaged)
    }

    @Test func valuesOfOnePropertyCount() throws {
        let values = [[UInt8]](repeating: [], count: 100)
        let properties = Stream.properties([Stream.property(0x1102, 1, values: values)])
        var limits = TNEFLimits()
        limits.properties = 99
        let octets = SpooledBytes(Stream.make([properties]))
        #expect(
            try TNEFMessage(octets, limits: limits).problems.first
                == .tooManyProperties(limit: limits.properties))
        limits.properties = 100
        #expect(try TNEFMessage(octets, limits: limits).problems.isEmpty)
    }

    /// A ratio of 4 means linear time, 16 quadratic. Other tests run at the same time.
    @Test(arguments: [
        [UInt8](TNEFStream.title("a")), TNEFStream.data("1"), TNEFStream.rendering,
        TNEFStream.attribute(0, []), TNEFStream.properties([]),
        TNEFStream.properties([TNEFStream.property(0x0777, 1, [])]),
        TNEFStream.properties([TNEFStream.longName("a"), TNEFStream.propertyData("1")]),
    ])
    func costGrowsWithAttributes(attribute: [UInt8]) throws {
        try check { Stream.make([[UInt8]](repeating: attribute, count: $0 / attribute.count)) }
    }

    @Test(arguments: [
        TNEFStream.property(1, 1, []), TNEFStream.property(3, 1, [1, 2, 3, 4]),
        TNEFStream.property(0x1F, 0x3707, values: [[0x61, 0]]),
        TNEFStream.property(0x1102, 1, values: [[], [], [], []]),
        TNEFStream.property(0x1001, 1, [0xFF, 0xFF, 0xFF, 0xFF]),
    ])
    func costGrowsWithProperties(property: [UInt8]) throws {
        try check { size in
            Stream.make([
                Stream.properties([[UInt8]](repeating: property, count: size / property.count))
            ])
        }
    }

    private func check(_ make: (Int) -> [UInt8]) throws {
        var limits = TNEFLimits()
        limits.attributes = .max
        limits.attachments = .max
        let small = try seconds(SpooledBytes(make(100_000)), limits)
        let large = try seconds(SpooledBytes(make(400_000)), limits)
        #expect(large / max(small, 0.005) < 8, "\(small) s and \(large) s")
    }

    /// The shorter processor time of two runs, in this thread.
    private func seconds(_ octets: SpooledBytes, _ limits: TNEFLimits) throws -> Double {
        var shortest = Double.infinity
        for _ in 0..<2 {
            let start = threadSeconds()
            _ = try TNEFMessage(octets, limits: limits)
            shortest = min(shortest, threadSeconds() - start)
        }
        return shortest
    }

    @Test func damageAnywhereIsSurvived() throws {
        let stream = try MailSample.part("tnef-data-in-properties")
        for place in stream.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = stream
                damaged[place] = value
                guard let message = try? TNEFMessage(SpooledBytes(damaged)) else {
                    #expect(place < 4)
                    continue
                }
                #expect(message.attachments.reduce(0) { $0 + $1.body.count } < stream.count)
            }
        }
    }
}
