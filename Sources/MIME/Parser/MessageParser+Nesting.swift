import Bytes

/// Nesting: part numbers, open parts, and limits.
extension MessageParser {
    /// The part number (RFC 3501, 6.4.5): the parts of a multipart count from 1; the single body of
    /// a message is its part 1, but a multipart body has the message's own number.
    func numberOfNext(_ part: PartHeader, in parent: Entity?) -> String {
        guard let parent else { return part.isMultipart ? "" : "1" }
        if !parent.isMultipart {
            return part.isMultipart ? parent.number : child(of: parent.number, 1)
        }
        return child(of: parent.number, parent.children)
    }

    func child(of number: String, _ index: Int) -> String {
        number.isEmpty ? "\(index)" : "\(number).\(index)"
    }

    /// Opens a multipart; false if the limit forbids it.
    mutating func push(
        _ names: [[UInt8]], isDigest: Bool, isInText: Bool = false, _ number: String
    ) -> Bool {
        guard mayOpen(isMultipart: true, number) else { return false }
        for boundary in names { boundaries.open(boundary, level: open.count) }
        open.append(
            Entity(
                number: number, boundaries: names, isMultipart: true, isDigest: isDigest,
                isInText: isInText))
        return true
    }

    /// Opens an embedded message; false if the limit forbids it.
    mutating func beginMessage(_ number: String) -> Bool {
        guard mayOpen(isMultipart: false, number) else { return false }
        open.append(Entity(number: number, boundaries: [], isMultipart: false, isDigest: false))
        partHeader.removeAll()
        state = .header
        return true
    }

    /// Whether the limit allows one more of the kind.
    private mutating func mayOpen(isMultipart: Bool, _ number: String) -> Bool {
        let depth = open.count { $0.isMultipart == isMultipart }
        if depth >= limits.depth {
            report(.nestedTooDeep(limit: limits.depth), number)
        }
        return depth < limits.depth
    }

    mutating func report(_ kind: MIMEProblem.Kind, _ number: String) {
        if reported.insert(kind.code).inserted {
            problems.append(MIMEProblem(kind, part: number))
        }
    }
}
