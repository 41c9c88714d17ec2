/// A work, its reference, and the target.
struct Row {
    let work: Work
    let reference: Work?
    let target: Target?

    enum Target {
        /// The time of the work relative to the reference.
        case ratio(Double)
        /// The ratio of the times per byte, since work and reference read different amounts.
        case ratioPerByte(Double)
        /// The ratio of the times per pass.
        case ratioPerPass(Double)
        case seconds(Double)
    }

    init(_ work: Work, against reference: Work? = nil, _ target: Target? = nil) {
        self.work = work
        self.reference = reference
        self.target = target
    }

    var pieces: [Piece] { work.pieces + (reference?.pieces ?? []) }

    /// Runs work and reference alternately, so that other load affects both.
    ///
    /// - Parameter runs: The minimum number of pairs. Short works are repeated for a second; for
    ///   long ones, two pairs suffice after half a minute.
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
