import PassModel
import Testing

@testable import PassSigning

@Suite("A kind of warning is reported for the first row that has it")
struct RowWarningsTests {
    private static func warning(
        _ text: String, key: String = "backgroundColor", in file: String = "pass.json"
    ) -> LintFinding {
        LintFinding(.colorForm(text), in: file, key: key)
    }

    @Test("the rule, the file and the key make the kind, and not the value")
    func kinds() {
        var warnings = RowWarnings()
        let first = Self.warning("#fff")
        #expect(warnings.add([first]) == [first])
        #expect(warnings.add([Self.warning("#000")]) == [])
        let others = [
            Self.warning("#fff", key: "labelColor"), Self.warning("#fff", in: "other.json"),
            LintFinding(.lowContrast(tenths: 12), in: "pass.json", key: "backgroundColor"),
        ]
        #expect(warnings.add([first] + others) == others)
    }

    @Test("rows without warnings are not counted, and those with known ones are")
    func rows() {
        var warnings = RowWarnings()
        for row in [[], [Self.warning("a")], [], [Self.warning("b"), Self.warning("c")]] {
            _ = warnings.add(row)
        }
        #expect(warnings.rows == 2)
    }

    @Test("beyond the limit, rows are only counted")
    func limit() {
        var warnings = RowWarnings(limit: 3)
        let reported = (0..<10).flatMap { warnings.add([Self.warning("a", key: "\($0)")]) }
        #expect(reported.map(\.keyPath) == ["0", "1", "2"])
        #expect(warnings.rows == 10)
    }
}
