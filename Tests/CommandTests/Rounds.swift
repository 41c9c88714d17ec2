import Foundation
import Testing

extension Tag {
    /// Of tests that do one thing many times: `make test` runs a part of the rounds, `make endurance` all.
    @Tag static var repeats: Self
}

/// How often a test does what it repeats: in `make test` a tenth of all rounds, but not less than `least`.
func rounds(_ all: Int, least: Int = 1) -> Int {
    isEndurance ? all : max(all / 10, least)
}

/// Whether this is `make endurance`.
let isEndurance = ProcessInfo.processInfo.environment["PASSCONDUIT_ENDURANCE"] != nil
