import Foundation

/// The response to one request after applying the rules of HTTP.
struct Reply {
    var status: Int
    var fields: [(name: String, value: String)]
    var body: Answer.Body
    /// The part of the body that is sent; without an end, everything from the start.
    var start = 0
    var end: Int?

    init(_ answer: Answer, to request: RecordedRequest) throws {
        status = answer.status
        fields = answer.fields
        body = answer.body
        if case .file(let path) = body {
            body = .bytes(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        }
        if let token = answer.token, request["Authorization"] != "ApplePass \(token)" {
            refuse(401)
            return
        }
        if let tag = answer.entityTag { fields.append(("ETag", tag)) }
        let modified = answer.lastModified.map(HTTPDate.text)
        if let modified { fields.append(("Last-Modified", modified)) }
        if isUnchanged(answer, request) {
            status = 304
            fields.removeAll { $0.name.lowercased().hasPrefix("content-") }
            body = .bytes([])
            return
        }
        let size: Int? =
            switch body {
            case .bytes(let bytes): bytes.count
            case .generated(_, let size): size
            case .file, .pieces: nil
            }
        end = size
        guard answer.hasRanges, status == 200, let size else { return }
        fields.append(("Accept-Ranges", "bytes"))
        // RFC 9110, 13.1.5: a weak tag never matches.
        if let condition = request["If-Range"], condition != modified,
            condition != answer.entityTag || condition.hasPrefix("W/")
        {
            return
        }
        switch ByteRange(request["Range"], of: size) {
        case .whole: break
        case .part(let range):
            status = 206
            (start, end) = (range.lowerBound, range.upperBound)
            fields.append(("Content-Range", "bytes \(start)-\(range.upperBound - 1)/\(size)"))
        case .unsatisfiable:
            refuse(416)
            fields.append(("Content-Range", "bytes */\(size)"))
        }
    }

    private mutating func refuse(_ status: Int) {
        self = Reply(status)
    }

    private init(_ status: Int) {
        self.status = status
        fields = []
        body = .bytes([])
        end = 0
    }
}

/// RFC 9110, 13.2.2: a tag takes precedence over a date.
private func isUnchanged(_ answer: Answer, _ request: RecordedRequest) -> Bool {
    guard answer.status == 200 else { return false }
    if let condition = request["If-None-Match"] {
        guard let tag = answer.entityTag else { return false }
        return condition == "*" || condition.contains(tag.replacing("W/", with: ""))
    }
    guard let modified = answer.lastModified, let condition = request["If-Modified-Since"],
        let since = HTTPDate.date(condition)
    else { return false }
    return modified.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
}
