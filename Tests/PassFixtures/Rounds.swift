import Foundation

/// The number of rounds of a test: all of them in `make endurance`, otherwise a tenth, but at least
/// `least`.
///
/// Such a test has the tag `repeats`, by which `make endurance` selects it.
package func rounds(_ all: Int, least: Int = 1) -> Int {
    isEndurance ? all : max(all / 10, least)
}

/// Whether this is `make endurance`.
package let isEndurance = ProcessInfo.processInfo.environment["PASSCONDUIT_ENDURANCE"] != nil
