/// A work, what it is held against in the same minutes, and by how much it may be slower.
struct Row {
    let work: Work
    let reference: Work?
    let target: Target?

    enum Target {
        /// Of the work's time to that of the reference.
        case ratio(Double)
        /// The same for each byte: they read different amounts.
        case ratioPerByte(Double)
        case seconds(Double)
    }

    init(_ work: Work, against reference: Work? = nil, _ target: Target? = nil) {
        self.work = work
        self.reference = reference
        self.target = target
    }

    var pieces: [Piece] { work.pieces + (reference?.pieces ?? []) }

    /// Runs the two in turn, so that what else the machine does meets both.
    ///
    /// - Parameter runs: How many pairs at least; short ones are run for a second, and of long ones two
    ///   are enough once half a minute has gone by.
    func measure(_ runs: Int, with runner: Runner) -> Measurement {
        var (mine, others): ([Child], [Child]) = ([], [])
        do {
            _ = try runner.run(work, isFirst: true)
        } catch {
            return Measurement(self, problem: error, runner.corpus)
        }
        var problem: (any Error)?
        do {
            if let reference { _ = try runner.run(reference, isFirst: true) }
        } catch {
            problem = error
        }
        let start = ContinuousClock.now
        while true {
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            if mine.count >= runs, seconds > 1 || mine.count >= 100 { break }
            if mine.count >= min(runs, 2), seconds > 30 { break }
            do {
                mine.append(try runner.run(work, isFirst: false))
                if let reference, problem == nil {
                    others.append(try runner.run(reference, isFirst: false))
                }
            } catch {
                return Measurement(self, problem: error, runner.corpus)
            }
        }
        return Measurement(self, mine, others, problem: problem, runner.corpus)
    }
}
