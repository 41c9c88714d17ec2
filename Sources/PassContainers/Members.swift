package import MailContainers
package import Platform

extension Contents {
    /// The members of a container, found one after the other while they are read: the memory
    /// needed does not depend on their number.
    package final class Members {
        /// What a step found.
        enum Step {
            case member(Member)
            case problem(ContainerProblem)
            /// Nothing yet. A step is short, so that the cost of many can be limited.
            case nothing
            case end
        }

        /// Whether nothing follows.
        package private(set) var isOver = false
        /// Whether an encrypted member was reported for the whole container.
        package var isUnreadReported = false

        /// The problem that the last step found.
        private var problem: ContainerProblem?
        private let step: () throws(FileError) -> Step
        /// The first member, if it was searched for.
        private var first: Member?

        init(_ step: @escaping () throws(FileError) -> Step) { self.step = step }

        convenience init(_ members: [Member]) {
            var rest = members[...]
            self.init { rest.popFirst().map(Step.member) ?? .end }
        }

        /// Reads on; nil if this step found no member.
        package func next() throws(FileError) -> Member? {
            if let first = first.take() { return first }
            guard !isOver else { return nil }
            switch try step() {
            case .member(let member): return member
            case .nothing: return nil
            case .problem(let problem):
                self.problem = problem
                return nil
            case .end:
                isOver = true
                return nil
            }
        }

        package func takeProblem() -> ContainerProblem? { problem.take() }

        /// Searches for the first member. If it is not among the first 16,000 steps, 1 GiB of text,
        /// there may be one.
        func mayHaveAny() throws(FileError) -> Bool {
            var steps = 0
            while first == nil, !isOver, steps < 16_000 {
                first = try next()
                steps += 1
            }
            return first != nil || !isOver
        }
    }
}
