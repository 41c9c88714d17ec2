import Bytes
import PassDetection
import Platform

extension PartLocation {
    func problem(_ kind: Problem.Kind, isIncidental: Bool = false) -> Event {
        var problem = Problem(
            source: source, message: message, part: part.isEmpty ? nil : part, kind)
        problem.isIncidental = isIncidental
        return .problem(problem)
    }

    /// A problem for a system error.
    func failure(_ error: FileError) -> Event {
        problem(.unreadable(error))
    }
}
