import NIOCore
import Synchronization

/// The requests to a fake server so far, and its configured answers.
final class FakeRecord: Sendable {
    private struct State {
        var pushes: [RecordedPush] = []
        var count = 0
        var running = 0
        var mostAtOnce = 0
        var accepted = 0
        var channels: [Int: any Channel] = [:]
        var answers: [String: [FakeAnswer]] = [:]
        var others = FakeAnswer.delivered
        var isClosed = false
    }

    private let state = Mutex(State())
    let isRecording: Bool

    init(isRecording: Bool) {
        self.isRecording = isRecording
    }

    var pushes: [RecordedPush] { state.withLock { $0.pushes } }
    var count: Int { state.withLock { $0.count } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func answer(_ token: String, _ answers: [FakeAnswer]) {
        state.withLock { $0.answers[token, default: []] += answers }
    }

    func answerOthers(_ answer: FakeAnswer) {
        state.withLock { $0.others = answer }
    }

    func opened(_ channel: any Channel) -> Int {
        let (number, isClosed) = state.withLock { state in
            let number = state.accepted
            state.accepted += 1
            state.channels[number] = channel
            return (number, state.isClosed)
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.channels.removeValue(forKey: number) }
        }
        if isClosed { channel.close(promise: nil) }
        return number
    }

    /// Counts a new request, and returns the number of requests in progress.
    func began() -> Int {
        state.withLock { state in
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
            return state.running
        }
    }

    func ended() {
        state.withLock { $0.running -= 1 }
    }

    func answer(to push: RecordedPush) -> FakeAnswer {
        state.withLock { state in
            state.count += 1
            if isRecording { state.pushes.append(push) }
            if let mistake = push.mistake { return mistake }
            guard var answers = state.answers[push.token], !answers.isEmpty else {
                return state.others
            }
            let answer = answers.removeFirst()
            state.answers[push.token] = answers
            return answer
        }
    }

    /// Closes all current and future connections.
    func closeAll() {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.channels.values
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
