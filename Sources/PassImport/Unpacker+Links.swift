import Bytes
import MIME
import PassLinks
import Platform

/// Passes contained in links (`data:` URLs).
extension Unpacker {
    /// Searches for links in a file that is neither mail nor a pass.
    mutating func searchLinks(
        in file: SpooledBytes, name: String, at location: PartLocation, into events: inout [Event]
    ) throws(FileError) {
        links.beginSource()
        try links.search(file, name: name, at: location, into: &events)
        let item = PendingItem(location: location, kind: .file(file), depth: 0)
        try judgeHeldByLinks(in: item, into: &events)
    }

    /// Judges the contents of the `data:` URLs found last in a text.
    mutating func judgeHeldByLinks(
        in text: PendingItem, into events: inout [Event]
    ) throws(FileError) {
        for url in links.takeHeld() {
            var location = text.location
            location.header = PartHeader(contentType: url.contentType, contentDisposition: nil)
            guard budget.takeMember() else { return stop(location, into: &events) }
            let octets = SpooledBytes(url.body)
            try look(octets, of: text.inner(.file(octets), at: location), into: &events)
        }
    }
}
