import MailSource
import Testing

@testable import SourceWatch

@Suite("A burst of changes is read once")
struct RescanScheduleTests {
    private let start = ContinuousClock.now
    private let one = Rescan.folder(Path("one"))
    private let two = Rescan.folder(Path("two"))

    /// A schedule after everything was read, in no time.
    private var schedule: RescanSchedule {
        var schedule = RescanSchedule(WatchTiming(), at: start)
        #expect(schedule.take(at: start) == [.everything])
        schedule.finish([.everything], from: start, to: start)
        return schedule
    }

    private func after(_ seconds: Double) -> RescanSchedule.Instant {
        start + .milliseconds((seconds * 1000).rounded())
    }

    @Test("half a second after its last change")
    func quiet() {
        var schedule = schedule
        schedule.note(one, at: after(1))
        schedule.note(one, at: after(1.4))
        #expect(schedule.due == after(1.9))
        #expect(schedule.take(at: after(1.8)) == [])
        #expect(schedule.take(at: after(1.9)) == [one])
        #expect(schedule.take(at: after(2)) == [])
        #expect(schedule.due == after(900))
    }

    @Test("or five seconds after its first change, if it does not end")
    func patience() {
        var schedule = schedule
        var taken: [Double] = []
        for tenth in 0..<120 {
            let time = 1 + Double(tenth) / 10
            schedule.note(tenth.isMultiple(of: 2) ? one : two, at: after(time))
            if !schedule.take(at: after(time)).isEmpty { taken.append(time) }
        }
        #expect(taken == [6, 11.1])
    }

    @Test("a long scan is followed by a longer pause, up to a limit")
    func rest() {
        for (duration, pause) in [(0.5, 2.0), (3, 12), (100, 300)] {
            var schedule = schedule
            schedule.note(one, at: after(1))
            #expect(schedule.take(at: after(2)) == [one])
            schedule.note(one, at: after(2.1))
            schedule.finish([one], from: after(2), to: after(2 + duration))
            #expect(schedule.due == after(2 + duration + pause))
            #expect(schedule.take(at: after(2 + duration + pause)) == [one])
        }
    }

    @Test("everything is read at intervals, in at most a tenth of the time")
    func sweep() {
        for (duration, isTold, due) in [(1.0, true, 901.0), (200, true, 2200), (1, false, 61)] {
            var schedule = RescanSchedule(WatchTiming(), at: start)
            #expect(schedule.take(at: start) == [.everything])
            schedule.note(isTold: isTold, at: start)
            schedule.finish([.everything], from: start, to: after(duration))
            #expect(schedule.due == after(due))
            schedule.note(one, at: after(due))
            #expect(schedule.take(at: after(due)) == [.everything])
        }
    }

    @Test("a source whose passes could not be stored is read again after growing delays")
    func failure() {
        var schedule = schedule
        schedule.note(one, at: after(1))
        var time = 1.5
        for delay in [5.0, 10, 20, 40, 80, 160, 300, 300] {
            #expect(schedule.take(at: after(time)) == [one])
            schedule.fail([one], at: after(time))
            #expect(schedule.take(at: after(time + delay - 0.1)) == [])
            time += delay
        }
        #expect(schedule.take(at: after(time)).contains(.everything))
        schedule.finish([.everything], from: after(time), to: after(time))
        #expect(schedule.due == after(time + 900))
    }

    @Test("a failed scan of everything is repeated after growing delays too")
    func failedSweep() {
        var schedule = RescanSchedule(WatchTiming(), at: start)
        #expect(schedule.take(at: start) == [.everything])
        schedule.fail([.everything], at: start)
        #expect(schedule.due == after(5))
        #expect(schedule.take(at: after(5)) == [.everything])
    }

    @Test("a scheduled rescan takes place at its time, without a burst")
    func again() {
        var schedule = schedule
        schedule.note(one, again: .seconds(4), at: after(1))
        schedule.note(one, again: .seconds(9), at: after(2))
        schedule.note(two, at: after(4.9))
        #expect(schedule.due == after(5))
        #expect(schedule.take(at: after(5)) == [one])
        #expect(schedule.take(at: after(5.4)) == [two])
    }

    @Test("thousands of changed sources count as everything")
    func places() {
        var schedule = schedule
        for number in 0...5000 { schedule.note(.folder(Path("\(number)")), at: after(1)) }
        #expect(schedule.take(at: after(2)) == [.everything])
    }
}
