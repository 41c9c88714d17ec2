import Foundation
import Testing

@testable import PassStore
@testable import PassUpdates

@Suite("Passes are updated when they are due, and at once if a service announces a change")
struct LoopPlanTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private static let service = EventService(
        id: 1, url: "https://example.com", host: "example.com", device: "d", tags: [:])
    private static let lists = ["a", "b"].map { ListKey(service, "pass.com.example.\($0)") }

    private func at(_ seconds: Double) -> Date { Self.start.addingTimeInterval(seconds) }

    private enum Work: Equatable {
        case none, due
        case lists(Set<ListKey>)

        init(_ passes: UpdateRun.Passes?) {
            switch passes {
            case nil, .named?: self = .none
            case .due?: self = .due
            case .changed(let keys)?: self = .lists(Set(keys))
            }
        }
    }

    private func next(_ plan: inout LoopPlan, _ seconds: Double) -> Work {
        Work(plan.next(at: at(seconds)))
    }

    /// A plan after a run for passes that were due.
    private func plan(next: Double?, failed: Set<ListKey> = []) -> LoopPlan {
        var plan = LoopPlan()
        var summary = UpdateSummary()
        summary.failedLists = failed
        plan.note(summary, of: .due, at: Self.start)
        plan.finish(.due, next: next.map { at($0) }, at: Self.start)
        return plan
    }

    @Test("the first run is at once")
    func first() {
        var plan = LoopPlan()
        #expect(next(&plan, 0) == .due)
    }

    @Test(
        "a run for passes that are due is at least a minute and at most an hour after another",
        arguments: [
            (nil, 3600), (-1e6, 60), (0, 60), (59, 60), (61, 61), (3599, 3599), (1e6, 3600),
        ] as [(Double?, Double)])
    func spacing(next due: Double?, seconds: Double) {
        var plan = plan(next: due)
        #expect(next(&plan, seconds - 0.5) == .none)
        #expect(next(&plan, seconds) == .due)
    }

    @Test("events do not put off the passes that are due")
    func events() {
        var plan = plan(next: 60)
        for second in stride(from: 10.0, to: 60, by: 10) {
            plan.changed.insert(Self.lists[0])
            #expect(next(&plan, second) == .lists([Self.lists[0]]))
            plan.note(UpdateSummary(), of: .changed([Self.lists[0]]), at: at(second))
        }
        #expect(next(&plan, 60) == .due)
    }

    @Test("a change in the library starts a run after two seconds, even within the minute")
    func library() {
        var plan = plan(next: nil)
        plan.libraryChanged(at: at(10))
        #expect(next(&plan, 11.5) == .none)
        // Changes that go on do not put it off.
        plan.libraryChanged(at: at(11.5))
        #expect(next(&plan, 12) == .due)
    }

    @Test("a list that has changed is requested at once, and once")
    func lists() {
        var plan = plan(next: nil)
        plan.changed = [Self.lists[0]]
        #expect(next(&plan, 1) == .lists([Self.lists[0]]))
        #expect(next(&plan, 1) == .none)
    }

    @Test("a list that failed is requested again six times, later each time")
    func failures() {
        var plan = plan(next: nil)
        var summary = UpdateSummary()
        summary.failedLists = [Self.lists[1]]
        var (now, gaps): (Double, [Int]) = (0, [])
        while gaps.count < 10 {
            plan.note(summary, of: .changed(Self.lists), at: at(now))
            let gap = (1..<3600).first { second in
                var copy = plan
                return next(&copy, now + Double(second)) == .lists([Self.lists[1]])
            }
            guard let gap else { break }
            gaps.append(gap)
            now += Double(gap)
        }
        #expect(gaps.count == 6)
        #expect(gaps.first.map { 5...15 ~= $0 } == true, "\(gaps)")
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 < $1 }, "\(gaps)")
        // Failures of the hourly runs do not start anew.
        for hour in 1...3 {
            now += 3600
            #expect(next(&plan, now) == .due, "\(hour)")
            plan.note(summary, of: .due, at: at(now))
            plan.finish(.due, next: nil, at: at(now))
            #expect(next(&plan, now + 3599) == .none)
        }
        // A success starts anew.
        now += 3600
        #expect(next(&plan, now) == .due)
        plan.note(UpdateSummary(), of: .due, at: at(now))
        plan.finish(.due, next: nil, at: at(now))
        plan.note(summary, of: .changed(Self.lists), at: at(now))
        #expect(next(&plan, now + 15) == .lists([Self.lists[1]]))
    }

    @Test("a run for other lists does not forget it")
    func otherLists() {
        var plan = plan(next: nil, failed: [Self.lists[0]])
        plan.note(UpdateSummary(), of: .changed([Self.lists[1]]), at: at(1))
        #expect(next(&plan, 15) == .lists([Self.lists[0]]))
        plan.note(UpdateSummary(), of: .changed([Self.lists[0]]), at: at(15))
        #expect(next(&plan, 1000) == .none)
    }

    @Test("the lists of a host that asks to be contacted later wait until then")
    func leftAlone() {
        var plan = plan(next: nil)
        var summary = UpdateSummary()
        summary.failedLists = [Self.lists[0]]
        summary.leftAlone = ["example.com": at(500)]
        plan.note(summary, of: .changed([Self.lists[0]]), at: Self.start)
        plan.changed.insert(Self.lists[1])
        let other = ListKey(
            EventService(
                id: 2, url: "https://a.example", host: "a.example", device: "d", tags: [:]),
            "pass.com.example.a")
        plan.changed.insert(other)
        #expect(next(&plan, 20) == .lists([other]))
        plan.note(UpdateSummary(), of: .changed([other]), at: at(21))
        #expect(next(&plan, 499) == .none)
        #expect(next(&plan, 500) == .lists(Set(Self.lists)))
    }

    @Test("lists of a host are requested twenty times at once, and then one each minute")
    func flood() {
        var plan = plan(next: nil)
        for count in 0..<30 {
            plan.changed.insert(Self.lists[0])
            let isRequested = next(&plan, Double(count) / 10) == .lists([Self.lists[0]])
            #expect(isRequested == (count < 20))
        }
        #expect(Self.lists.map { plan.mayRequest($0, at: at(59)) } == [false, false])
        // The last event is not forgotten.
        #expect(next(&plan, 60) == .lists([Self.lists[0]]))
        #expect(next(&plan, 60) == .none)
    }

    @Test("a service that has lost the registrations gets them at once, and hourly at most")
    func lost() {
        var plan = plan(next: nil)
        plan.add(unknown: Self.service, at: at(10))
        #expect(next(&plan, 10) == .due)
        #expect(plan.unknownServices(at: at(10)) == [Self.service])
        plan.remove(unknown: Self.service)
        plan.finish(.due, next: nil, at: at(11))
        plan.add(unknown: Self.service, at: at(300))
        #expect(next(&plan, 300) == .none)
        #expect(plan.unknownServices(at: at(300)).isEmpty)
        plan.add(unknown: Self.service, at: at(3610))
        #expect(plan.unknownServices(at: at(3610)) == [Self.service])
    }

    @Test("a run that could not begin is tried again after five seconds, with its lists")
    func postponed() {
        var plan = plan(next: nil)
        plan.changed = Set(Self.lists)
        let passes = plan.next(at: at(1))
        #expect(Work(passes) == .lists(Set(Self.lists)))
        if let passes { plan.postpone(passes, at: at(1)) }
        #expect(next(&plan, 5.5) == .none)
        #expect(next(&plan, 6) == .lists(Set(Self.lists)))
    }

    @Test("a clock that is set back does not stop it")
    func clock() {
        var plan = plan(next: 1800)
        #expect(next(&plan, 0) == .none)
        #expect(next(&plan, -1e6) == .due)
        plan.postpone(.due, at: at(-1e6))
        #expect(next(&plan, -2e6) == .due)
    }
}
