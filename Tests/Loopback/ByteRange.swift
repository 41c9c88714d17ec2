/// A Range field (RFC 9110, 14.1.2 and 14.2).
enum ByteRange: Equatable {
    /// No range, or one that is ignored, so that the whole body is sent: several ranges, or another
    /// unit.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(_ value: String?, of size: Int) {
        guard let value, value.hasPrefix("bytes="), !value.contains(",") else {
            self = .whole
            return
        }
        let bounds = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else {
            self = .whole
            return
        }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, let last):
            guard last != nil || bounds[1].isEmpty, first <= last ?? first else {
                self = .whole
                return
            }
            let end = min(size, (last ?? size - 1) + 1)
            self = first < size ? .part(first..<end) : .unsatisfiable
        case (nil, let suffix?) where bounds[0].isEmpty:
            self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
        default:
            self = .whole
        }
    }
}
