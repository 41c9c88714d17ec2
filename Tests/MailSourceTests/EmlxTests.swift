import Bytes
import Platform
import Testing

@testable import MailSource

@Suite("An Apple Mail message ends before its property list, whatever length it claims")
struct EmlxTests {
    private static let message = "Subject: x\n\nhello\n"
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>subject</key>
        \t<string>&lt;?xml</string>
        </dict>
        </plist>

        """
    private static let textOfList = "Subject: x\n\n<?xml version=\"1.0\"?>\n<plist>\n</plist>\n"

    /// The claimed length and the contents of a file, and the message that it contains.
    struct Row {
        let length: Int
        let text: String
        let rest: String
        let expected: String

        init(_ length: Int, _ text: String, _ rest: String, _ expected: String? = nil) {
            self.length = length
            self.text = text
            self.rest = rest
            self.expected = expected ?? text
        }
    }

    static let rows: [Row] = [
        Row(18, message, list),
        // The length is too small, too large, or zero.
        Row(10, message, list), Row(30, message, list), Row(9_999, message, list),
        Row(0, message, list),
        // Without a list.
        Row(18, message, ""), Row(10, message, ""), Row(19, message, ""), Row(9_999, message, ""),
        // A truncated list, and a list followed by text.
        Row(18, message, String(list.prefix(60))),
        Row(10, message, String(list.prefix(60)), message + list.prefix(60)),
        Row(10, message, list + "x", message + list + "x"),
        Row(18, message, "\n" + list), Row(18, message, "<plist>\n</plist>"),
        Row(17, message, list, String(message.dropLast())),
        // A message that ends like a list, with and without a list after it.
        Row(51, textOfList, list), Row(51, textOfList, ""),
    ]

    @Test("claimed lengths", arguments: rows.indices)
    func lengths(index: Int) throws {
        let row = EmlxTests.rows[index]
        for lineEnd in ["\n", "      \n", "\r\n"] {
            let first = "\(row.length)\(lineEnd)"
            let mail = try ReadMail(kindOf: first + row.text + row.rest)
            #expect(mail.texts == [row.expected])
            #expect(mail.offsets == [first.utf8.count])
            #expect(mail.isInOrder)
        }
    }

    @Test("in a stream the claimed length is used")
    func stream() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let text = "18\n\(EmlxTests.message)\(EmlxTests.list)"
        let stream = try FileDescriptor.open(try folder.write(text, to: "1.emlx"), 0)
        defer { stream.close() }
        let source = ByteSource(stream: stream, prefix: [])
        let head = try ContentHead(of: source)
        let again = ByteSource(stream: stream, prefix: head.bytes)
        var mail = ReadMail()
        var reader = MailReader()
        try reader.read(again, as: MailFormat(head.bytes.span) ?? .message) { event, bytes, _ in
            mail.take(event, bytes)
        }
        #expect(mail.texts == [EmlxTests.message])
    }

    @Test("the size of the buffer does not change the result")
    func buffers() throws {
        let long = "Subject: x\n\n" + String(repeating: "0123456789\n", count: 600)
        let text = "\(long.utf8.count)      \n\(long)\(EmlxTests.list)"
        for size in stride(from: 2048, to: 2300, by: 7) {
            #expect(try ReadMail(kindOf: text, bufferSize: size).texts == [long])
        }
    }
}
