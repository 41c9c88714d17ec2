internal import PassPresentation
internal import PassService
internal import PassSession

/// The totals of a run that publishes passes.
struct PublicationTally {
    /// The number of passes that could not be published.
    private(set) var failed = 0
    /// The exit code of the run.
    private(set) var code = ExitCode.done
    private var counts: [Publication: Int] = [:]

    /// The number of passes, including those that failed.
    var count: Int { counts.values.reduce(failed, +) }

    subscript(publication: Publication) -> Int { counts[publication] ?? 0 }

    mutating func add(_ publication: Publication) {
        counts[publication, default: 0] += 1
    }

    mutating func fail(_ code: ExitCode) {
        failed += 1
        self.code = self.code.joined(with: code)
    }

    /// The totals as a line of text.
    var line: String {
        var parts: [String] = []
        func add(_ count: Int, _ text: String) {
            if count > 0 { parts.append(text) }
        }
        add(self[.added], counted("{count} added", "{count} added", self[.added]))
        add(self[.updated], counted("{count} updated", "{count} updated", self[.updated]))
        add(self[.unchanged], counted("{count} unchanged", "{count} unchanged", self[.unchanged]))
        add(failed, counted("{count} failed", "{count} failed", failed))
        return parts.joined(separator: ", ")
    }
}
