import Bytes
import MIME
import MailContainers
import Testing

@Suite("A winmail.dat from an unusual writer is read")
struct TNEFFormsTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let title: String
        let attributes: [[UInt8]]
        /// The names and data of the attachments.
        let expected: [[String]]
        var problems: [String] = []

        init(
            _ title: String, _ attributes: [[UInt8]], _ expected: [[String]],
            problems: [String] = []
        ) {
            self.title = title
            self.attributes = attributes
            self.expected = expected
            self.problems = problems
        }

        var testDescription: String { title }
    }

    private typealias Stream = TNEFStream

    @Test(arguments: forms) func form(form: Form) throws {
        let message = try TNEFMessage(SpooledBytes(Stream.make(form.attributes)))
        #expect(try message.attachments.map(described) == form.expected)
        #expect(message.problems.map(\.code) == form.problems)
    }

    private func described(_ attachment: TNEFMessage.Attachment) throws -> [String] {
        attachment.header.names + [String(decoding: try attachment.body.array(), as: UTF8.self)]
    }

    static let forms: [Form] = orders + data + names + properties + ends

    private static let orders = [
        Form(
            "no rendering at all",
            [Stream.title("a"), Stream.data("1"), Stream.title("b"), Stream.data("2")],
            [["a", "1"], ["b", "2"]]),
        Form(
            "rendering behind the title",
            [
                Stream.title("a"), Stream.rendering, Stream.data("1"),
                Stream.title("b"), Stream.rendering, Stream.data("2"),
            ], [["a", "1"], ["b", "2"]]),
        Form(
            "data before the title",
            [
                Stream.rendering, Stream.data("1"), Stream.title("a"),
                Stream.rendering, Stream.data("2"), Stream.title("b"),
            ], [["a", "1"], ["b", "2"]]),
        Form(
            "attributes of the message between",
            [
                Stream.rendering, Stream.title("a"),
                Stream.attribute(0x0002_800C, Array("body".utf8), level: 1), Stream.data("1"),
            ], [["a", "1"]]),
        Form(
            "level of a message",
            [
                Stream.attribute(0x0001_8010, Array("a\0".utf8), level: 1),
                Stream.attribute(0x0006_800F, Array("1".utf8), level: 1),
            ], [["a", "1"]]),
        Form(
            "attributes that nobody knows",
            [
                Stream.rendering, Stream.attribute(0x7777_7777, [1, 2, 3]), Stream.data("1"),
                Stream.attribute(0, []),
            ], [["1"]]),
    ]

    private static let data = [
        Form("empty", [Stream.rendering, Stream.title("a"), Stream.data("")], [["a", ""]]),
        Form("no data", [Stream.rendering, Stream.title("a")], [["a", ""]]),
        Form(
            "empty in the attribute",
            [Stream.rendering, Stream.data(""), Stream.properties([Stream.propertyData("1")])],
            [["1"]]),
        Form(
            "empty in the property",
            [Stream.rendering, Stream.properties([Stream.propertyData("")]), Stream.data("1")],
            [["1"]]),
        Form(
            "an object of OLE",
            [
                Stream.properties([
                    Stream.property(
                        0x0D, 0x3701,
                        values: [
                            [0x0B, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]
                                + Array("storage".utf8)
                        ])
                ])
            ], [["storage"]]),
        Form(
            "an object without an interface",
            [
                Stream.properties([
                    Stream.property(0x0D, 0x3701, values: [Array("an object of some kind".utf8)])
                ])
            ], [["an object of some kind"]]),
        Form(
            "data that are a number",
            [Stream.properties([Stream.property(3, 0x3701, [1, 2, 3, 4])])], [[""]]),
    ]

    private static let names = [
        Form(
            "all of them",
            [
                Stream.rendering, Stream.title("title"),
                Stream.attribute(0x0006_9001, Array("C:\\temp\\transport\0".utf8)),
                Stream.data("1"),
                Stream.properties([
                    Stream.property(0x1E, 0x3704, values: [Array("SHORT\0".utf8)]),
                    Stream.property(0x1E, 0x3001, values: [Array("title\0".utf8)]),
                    Stream.longName("long"),
                    Stream.property(0x1E, 0x370C, values: [Array("other\0".utf8)]),
                ]),
            ], [["long", "title", "transport", "SHORT", "1"]]),
        Form(
            "none, or nothing in them",
            [
                Stream.rendering, Stream.title(""), Stream.data("1"),
                Stream.properties([
                    Stream.longName(""), Stream.property(0x1F, 0x3001, values: []),
                    Stream.property(0x1F, 0x3704, values: [[0x61]]),
                ]),
            ], [["1"]]),
        Form(
            "without an end",
            [Stream.attribute(0x0001_8010, Array("a.pkpass".utf8)), Stream.data("1")],
            [["a.pkpass", "1"]]),
        Form(
            "half of a character",
            [
                Stream.properties([
                    Stream.property(0x1F, 0x3707, values: [[0x61, 0, 0x3D, 0xD8, 0x62, 0]])
                ])
            ], [["a\u{FFFD}b", ""]]),
    ]

    private static let properties = [
        Form(
            "several values, of which the first counts",
            [
                Stream.properties([
                    Stream.property(0x101F, 0x3707, values: [[0x61, 0], [0x62, 0, 0x63, 0], []]),
                    Stream.property(0x1102, 0x3701, values: [[0x31], [0x32]]),
                ])
            ], [["a", "1"]]),
        Form(
            "every type of one length",
            [
                Stream.properties(
                    [(0, 0), (1, 0), (2, 4), (3, 4), (4, 4), (5, 8), (6, 8), (7, 8), (0xA, 4)].map {
                        Stream.property($0.0, 0x3000, [UInt8](repeating: 0xFF, count: $0.1))
                    }
                        + [(0xB, 4), (0x14, 8), (0x40, 8), (0x48, 16)].map {
                            Stream.property($0.0, 0x3000, [UInt8](repeating: 0xFF, count: $0.1))
                        }
                        + [(0x1003, 12), (0x1014, 24), (0x1048, 48)].map {
                            Stream.property(
                                $0.0, 0x3000,
                                Stream.number(3) + [UInt8](repeating: 0xFF, count: $0.1))
                        } + [Stream.propertyData("1")])
            ], [["1"]]),
        Form(
            "named by numbers and by words",
            [
                Stream.properties([
                    Stream.property(
                        3, 0x8000,
                        [UInt8](repeating: 0x37, count: 16) + Stream.number(0)
                            + Stream.number(0x3701) + Stream.number(1)),
                    Stream.property(
                        3, 0x8001,
                        [UInt8](repeating: 0x37, count: 16) + Stream.number(1)
                            + Stream.number(6) + [0x61, 0, 0x62, 0, 0, 0, 0, 0]
                            + Stream.number(1)),
                    Stream.propertyData("1"),
                ])
            ], [["1"]]),
        Form(
            "more than are announced",
            [Stream.properties([Stream.longName("a"), Stream.propertyData("1")], announced: 1)],
            [["a", ""]]),
        Form("none", [Stream.attribute(0x0006_9005, []), Stream.data("1")], [["1"]]),
        Form(
            "a type that nobody knows, behind the data",
            [
                Stream.properties([
                    Stream.propertyData("1"), Stream.property(0x0777, 1, [1, 2, 3, 4]),
                ])
            ], [["1"]]),
        Form(
            "a type that nobody knows, before the data",
            [
                Stream.title("a"),
                Stream.properties([
                    Stream.property(0x0777, 1, [1, 2, 3, 4]), Stream.propertyData("1"),
                ]),
                Stream.title("b"), Stream.data("2"),
            ], [["b", "2"]], problems: ["truncated"]),
    ]

    private static let ends = [
        Form("line ends", [Stream.data("1"), [0x0D, 0x0A]], [["1"]]),
        Form("zeros", [Stream.data("1"), [UInt8](repeating: 0, count: 600)], [["1"]]),
        Form("something else", [Stream.data("1"), [7, 7, 7]], [["1"]], problems: ["unreadable"]),
        Form("half an attribute", [Stream.data("1"), [2, 7]], [["1"]], problems: ["truncated"]),
        Form(
            "the title of what is lost",
            [Stream.data("1"), Stream.rendering, Stream.title("a"), [2, 7]], [["1"]],
            problems: ["truncated"]),
    ]

    @Test func codePageMayStandBehindTheText() throws {
        let title = Stream.attribute(0x0001_8010, [0xE1, 0xE8, 0xEB, 0xE5, 0xF2])
        let page = Stream.attribute(0x0006_9007, Stream.number(1251), level: 1)
        let message = try TNEFMessage(SpooledBytes(Stream.make([title, page], codePage: 0)))
        #expect(message.attachments.first?.header.names == ["билет"])
    }

    @Test func messageIsToldByItsInterfaceOrItsBeginning() throws {
        let inner = Stream.make([Stream.data("1")])
        let interface: [UInt8] = [7, 3, 2, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46]
        for (type, value) in [(0x0D, interface + inner), (0x0D, inner), (0x0102, inner)] {
            let properties = Stream.properties([Stream.property(type, 0x3701, values: [value])])
            let outer = try TNEFMessage(SpooledBytes(Stream.make([properties])))
            #expect(outer.attachments.map(\.header.mediaTypes) == [["application/ms-tnef"]])
            let body = try #require(outer.attachments.first?.body)
            #expect(try body.array() == inner)
        }
    }
}
