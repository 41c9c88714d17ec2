import Testing

@Suite("The program is built beside its tests")
struct ProgramTests {
    @Test("and runs")
    func runs() throws {
        let home = try Home()
        defer { home.remove() }
        #expect(try Program(home: home).run(["--version"]).status == 0)
    }
}
