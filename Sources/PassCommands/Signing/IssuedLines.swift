/// The lines about issued passes. When nobody reads them any more, or they cannot be written, the
/// passes are made nevertheless.
struct IssuedLines {
    private let console: Console
    private var failure: OutputError?

    init(_ console: Console) {
        self.console = console
    }

    mutating func print(_ line: String) {
        guard failure == nil else { return }
        do throws(OutputError) {
            try console.print(line)
        } catch {
            failure = error
        }
    }

    /// Reports at the end of the run that lines were not written.
    func finish() throws(OutputError) {
        if let failure { throw failure }
    }
}
