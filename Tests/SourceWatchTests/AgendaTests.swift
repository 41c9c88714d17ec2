import MailSource
import Testing

@testable import SourceWatch

@Suite("A burst of changes is read once")
struct AgendaTests {
    private let start = ContinuousClock.now
    private let one = Reading.folder(Path("one"))
    private let two = Reading.folder(Path("two"))

    /// Everything was read, in no time.
    private var agenda: Agenda {
        var agenda = Agenda(WatchTiming(), at: start)
        #expect(agenda.take(at: start) == [.everything])
        agenda.finish([.everything], from: start, to: start)
        return agenda
    }

    private func after(_ seconds: Double) -> Agenda.Instant {
        start + .milliseconds((seconds * 1000).rounded())
    }

    @Test("half a second after its last change")
    func quiet() {
        var agenda = agenda
        agenda.note(one, at: after(1))
        agenda.note(one, at: after(1.4))
        #expect(agenda.due == after(1.9))
        #expect(agenda.take(at: after(1.8)) == [])
        #expect(agenda.take(at: after(1.9)) == [one])
        #expect(agenda.take(at: after(2)) == [])
        #expect(agenda.due == after(900))
    }

    @Test("and five seconds after its first one where it does not end")
    func patience() {
        var agenda = agenda
        var taken: [Double] = []
        for tenth in 0..<120 {
            let time = 1 + Double(tenth) / 10
            agenda.note(tenth.isMultiple(of: 2) ? one : two, at: after(time))
            if !agenda.take(at: after(time)).isEmpty { taken.append(time) }
        }
        #expect(taken == [6, 11.1])
    }

    @Test("a long reading is followed by a longer pause, which has an end")
    func rest() {
        for (duration, pause) in [(0.5, 2.0), (3, 12), (100, 300)] {
            var agenda = agenda
            agenda.note(one, at: after(1))
            #expect(agenda.take(at: after(2)) == [one])
            agenda.note(one, at: after(2.1))
            agenda.finish([one], from: after(2), to: after(2 + duration))
            #expect(agenda.due == after(2 + duration + pause))
            #expect(agenda.take(at: after(2 + duration + pause)) == [one])
        }
    }

    @Test("everything is read at its intervals, and not more than a tenth of the time")
    func sweep() {
        for (duration, isTold, due) in [(1.0, true, 901.0), (200, true, 2200), (1, false, 61)] {
            var agenda = Agenda(WatchTiming(), at: start)
            #expect(agenda.take(at: start) == [.everything])
            agenda.note(isTold: isTold, at: start)
            agenda.finish([.everything], from: start, to: after(duration))
            #expect(agenda.due == after(due))
            agenda.note(one, at: after(due))
            #expect(agenda.take(at: after(due)) == [.everything])
        }
    }

    @Test("what could not be kept is read again, later each time")
    func failure() {
        var agenda = agenda
        agenda.note(one, at: after(1))
        var time = 1.5
        for delay in [5.0, 10, 20, 40, 80, 160, 300, 300] {
            #expect(agenda.take(at: after(time)) == [one])
            agenda.fail([one], at: after(time))
            #expect(agenda.take(at: after(time + delay - 0.1)) == [])
            time += delay
        }
        #expect(agenda.take(at: after(time)).contains(.everything))
        agenda.finish([.everything], from: after(time), to: after(time))
        #expect(agenda.due == after(time + 900))
    }

    @Test("so is a failed reading of everything")
    func failedSweep() {
        var agenda = Agenda(WatchTiming(), at: start)
        #expect(agenda.take(at: start) == [.everything])
        agenda.fail([.everything], at: start)
        #expect(agenda.due == after(5))
        #expect(agenda.take(at: after(5)) == [.everything])
    }

    @Test("what is to be read again is, without a burst")
    func again() {
        var agenda = agenda
        agenda.note(one, again: .seconds(4), at: after(1))
        agenda.note(one, again: .seconds(9), at: after(2))
        agenda.note(two, at: after(4.9))
        #expect(agenda.due == after(5))
        #expect(agenda.take(at: after(5)) == [one])
        #expect(agenda.take(at: after(5.4)) == [two])
    }

    @Test("thousands of places are read as everything")
    func places() {
        var agenda = agenda
        for number in 0...5000 { agenda.note(.folder(Path("\(number)")), at: after(1)) }
        #expect(agenda.take(at: after(2)) == [.everything])
    }
}
