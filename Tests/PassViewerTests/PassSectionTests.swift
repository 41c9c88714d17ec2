import Foundation
import PassViewer
import Testing

@Suite("a pass stands in the list where it is looked for")
struct PassSectionTests {
    /// 2024-05-01 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_714_564_800)

    @Test(
        "in the part that its dates say",
        arguments: [
            (nil, nil, false, PassSection.other), (0, nil, false, .now),
            (3600 * 11, nil, false, .now), (-3600 * 11, nil, false, .now),
            (3600 * 13, nil, false, .upcoming), (-3600 * 13, nil, false, .other),
            (0, -1, false, .past), (0, 1, false, .now), (3600 * 13, nil, true, .past),
            (nil, 0, false, .past), (nil, nil, true, .past),
        ] as [(TimeInterval?, TimeInterval?, Bool, PassSection)])
    func section(
        relevant: TimeInterval?, expires: TimeInterval?, isVoided: Bool, section: PassSection
    ) {
        let found = PassSection(
            relevantDate: relevant.map { now + $0 }, expirationDate: expires.map { now + $0 },
            isVoided: isVoided, now: now)
        #expect(found == section)
    }
}
