import NIOCore

/// Runs tasks on the threads of an event loop: those that Swift has for tasks are few, and tests that wait
/// for a program hold them.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
