import Foundation

/// How often a test does what it repeats: in `make test` a tenth of all rounds, but not less than `least`.
///
/// Such a test has the tag `repeats`, by which `make endurance` finds it.
package func rounds(_ all: Int, least: Int = 1) -> Int {
    isEndurance ? all : max(all / 10, least)
}

/// Whether this is `make endurance`.
package let isEndurance = ProcessInfo.processInfo.environment["PASSCONDUIT_ENDURANCE"] != nil
