import Testing

@Suite("The program is built with its tests")
struct ProgramTests {
    @Test("it runs")
    func runs() throws {
        let home = try Home()
        defer { home.remove() }
        #expect(try Program(home: home).run(["--version"]).status == 0)
    }
}
