import Bytes
import MIME
import PassDetection

/// What links to passes hold themselves.
extension Unpacker {
    /// Looks for links in a file that is neither mail nor pass.
    mutating func searchLinks(
        in file: Octets, name: String, at place: Place, into events: inout [Event]
    ) throws(FileError) {
        links.beginSource()
        try links.search(file, name: name, at: place, into: &events)
        let closed = Closed(place: place, form: .file(file), depth: 0)
        try judgeHeldByLinks(in: closed, into: &events)
    }

    /// Judges what the links hold that were found last in a text.
    mutating func judgeHeldByLinks(
        in text: Closed, into events: inout [Event]
    ) throws(FileError) {
        for url in links.takeHeld() {
            var place = text.place
            place.header = PartHeader(contentType: url.contentType, contentDisposition: nil)
            guard budget.takeMember() else { return stop(place, into: &events) }
            let octets = Octets(url.body)
            try look(octets, of: text.inner(.file(octets), at: place), into: &events)
        }
    }
}
