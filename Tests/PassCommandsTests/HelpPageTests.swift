import ArgumentParser
import PassPresentation
import Testing

@testable import PassCommands

@Suite("Help fits the width of the terminal")
struct HelpPageTests {
    private static let text = """
        OVERVIEW: Find passes.

        A paragraph that is longer than the page.

        EXAMPLES
          passconduit scan     which are there?
          passconduit import --all ~/Mail ~/Downloads
          passconduit show 1   what does it say?

        EXIT CODES
          0   done
          64  the command line is wrong
          The first wins.

        USAGE: passconduit scan [<path> ...] [--jobs <number>] [--json]

        OPTIONS:
          --jobs <number>         Use so many cores (default: all of them).
          --a-rather-long-option <value>
                                  Do something.

        """

    @Test("lists keep their columns, examples are whole, and reference comes last")
    func wide() {
        #expect(
            HelpPage(HelpText(Self.text), width: 60).lines.joined(separator: "\n") == """
                OVERVIEW: Find passes.

                A paragraph that is longer than the page.

                EXAMPLES
                  passconduit scan     which are there?
                  passconduit import --all ~/Mail ~/Downloads
                  passconduit show 1   what does it say?

                USAGE: passconduit scan [<path> ...] [--jobs <number>]
                       [--json]

                OPTIONS
                  --jobs <number>         Use so many cores (default: all of
                                          them).
                  --a-rather-long-option <value>
                                          Do something.

                EXIT CODES
                  0   done
                  64  the command line is wrong

                  The first wins.
                """)
    }

    @Test("on a narrow terminal explanations are below their terms and examples")
    func narrow() {
        #expect(
            HelpPage(HelpText(Self.text), width: 36).lines.joined(separator: "\n") == """
                OVERVIEW: Find passes.

                A paragraph that is longer than the
                page.

                EXAMPLES
                  passconduit scan
                      which are there?
                  passconduit import --all ~/Mail ~/Downloads
                  passconduit show 1
                      what does it say?

                USAGE: passconduit scan [<path> ...]
                       [--jobs <number>] [--json]

                OPTIONS
                  --jobs <number>
                      Use so many cores (default:
                      all of them).
                  --a-rather-long-option <value>
                      Do something.

                EXIT CODES
                  0   done
                  64  the command line is wrong

                  The first wins.
                """)
    }

    @Test("no help is wider than the terminal, except for command lines", arguments: [60, 80, 120])
    func commands(width: Int) {
        var commands: [any ParsableCommand.Type] = [Passconduit.self]
        var count = 0
        while let command = commands.popLast() {
            commands += command.configuration.subcommands
            count += 1
            let text = Passconduit.helpMessage(for: command, columns: HelpText.unwrapped)
            let lines = HelpPage(HelpText(text), width: width).lines
            let written = Set(text.split(separator: "\n"))
            for line in lines where columns(line) > width {
                #expect(width < 80 && line.hasPrefix("  ") && written.contains(line[...]))
            }
            let words = { (text: String) in Set(text.split { " \n:".contains($0) }) }
            #expect(words(lines.joined(separator: "\n")) == words(text))
        }
        #expect(count > 25)
    }
}
