/// Performs pieces of work, `jobs` in parallel, and takes the results in order.
///
/// Work is drawn only a few pieces ahead of the next result, so that the number of waiting results
/// is bounded.
func inOrder<Work: Sendable, Result: Sendable>(
    jobs: Int, next: () -> Work?, perform: @escaping @Sendable (Work) -> Result,
    take: (Work, Result) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Work, Result).self) { group in
        var drawn = 0
        var taken = 0
        var running = 0
        var waiting: [Int: (Work, Result)] = [:]
        func draw() {
            while running < max(jobs, 1), drawn - taken < max(jobs, 1) * 2, let work = next() {
                let location = drawn
                drawn += 1
                running += 1
                group.addTask { (location, work, perform(work)) }
            }
        }
        draw()
        while let (location, work, result) = try await group.next() {
            running -= 1
            waiting[location] = (work, result)
            draw()
            while let (work, result) = waiting.removeValue(forKey: taken) {
                taken += 1
                try take(work, result)
            }
            draw()
        }
    }
}
