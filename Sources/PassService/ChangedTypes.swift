internal import Foundation
internal import NIOCore

/// The pass types for which a device is registered and that have changes.
///
/// As JSON, and as a server-sent event (WHATWG HTML, 9.2):
///
/// ```
/// {"lastUpdated":"1742","passTypeIdentifiers":["pass.com.example.ticket"]}
///
/// id: 1742
/// event: changes
/// data: {"lastUpdated":"1742","passTypeIdentifiers":["pass.com.example.ticket"]}
/// ```
struct ChangedTypes: Sendable, Equatable {
    let types: Set<String>
    /// The tag of the last change of any pass in the store.
    let tag: Int64

    private struct Contents: Encodable {
        let passTypeIdentifiers: [String]
        let lastUpdated: String
    }

    var json: ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let contents = Contents(passTypeIdentifiers: types.sorted(), lastUpdated: "\(tag)")
        // Encoding texts cannot fail.
        return ByteBuffer(bytes: (try? encoder.encode(contents)) ?? Data())
    }

    /// The object is on one line, since JSON escapes line ends in texts.
    var event: ByteBuffer {
        var text = ByteBuffer(string: "id: \(tag)\nevent: changes\ndata: ")
        text.writeImmutableBuffer(json)
        text.writeString("\n\n")
        return text
    }
}
