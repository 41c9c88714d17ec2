import Foundation
import Testing

@Suite("The desktop's own tools accept the desktop files")
final class DesktopFilesTests {
    private let desktop: Desktop
    private var program: Program { desktop.program }

    init() throws {
        var desktop = try Desktop()
        desktop.program.environment["FILES"] =
            Program.package.appendingPathComponent("desktop").path
        self.desktop = desktop
    }

    deinit { desktop.remove() }

    @Test("the desktop entries are valid")
    func entries() throws {
        let result = try program.shell("desktop-file-validate \"$FILES\"/*.desktop")
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
    }

    @Test(
        "the AppStream metadata is valid; the only remark is about the component's name"
    )
    func metainfo() throws {
        let result = try program.shell(
            """
            appstreamcli validate --no-net --strict --pedantic --no-color "$FILES"/*.metainfo.xml
            """)
        #expect(result.status == 0, "\(result.output)")
        let remarks = result.lines.filter { $0.wholeMatch(of: /[EWIP]: .*/) != nil }
        #expect(remarks.allSatisfy { $0.contains("cid-contains-uppercase-letter") }, "\(remarks)")
    }

    @Test("the launcher, its icon, its windows and the AppStream component have one ID")
    func applicationID() throws {
        let id = "org.passconduit.Passconduit"
        let found = try program.shell(
            """
            cd "$FILES" && component() { xmllint --xpath "string(/component/$1)" \(id).metainfo.xml; }
            component @type; component id; component launchable
            sed -n 's/^Icon=//p; s/^StartupWMClass=//p' \(id).desktop
            basename -s .svg icons/apps/\(id).svg
            """)
        #expect(
            found.lines == ["desktop-application", id, "\(id).desktop", id, id, id],
            "\(found.errors)")
    }

    @Test("each screenshot of the metadata exists, has the size that it states, and is 16:9")
    func screenshots() throws {
        let listed = try program.shell(
            """
            sed -n 's:.*<image .*width="\\(.*\\)" height="\\(.*\\)">.*/\\(screenshots/.*.png\\)<.*:\\3 \\1 \\2:p' \
                "$FILES"/*.metainfo.xml
            """)
        let present = try program.shell(
            "cd \"$FILES\" && identify -format '%d/%f %w %h\\n' screenshots/*.png")
        #expect(listed.lines.count == 3, "\(listed.errors)")
        for line in listed.lines {
            #expect(present.lines.contains(line), "\(present.lines)")
            let size = line.split(separator: " ").compactMap { Int($0) }
            #expect(size.count == 2 && size[0] * 9 == size[1] * 16, "\(line)")
        }
    }

    @Test("the media types conform to shared-mime-info's document type definition")
    func mediaTypes() throws {
        let result = try program.shell(
            """
            { sed -n '1,/^]>/p' /usr/share/mime/packages/freedesktop.org.xml
              sed 1d "$FILES/mime/passconduit.xml"; } | xmllint --noout --valid -
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
    }

    @Test("the icons can be drawn, from the smallest size up", arguments: ["16", "256"])
    func icons(size: String) throws {
        let result = try program.shell(
            """
            for icon in "$FILES"/icons/*/*.svg; do
                xmllint --noout "$icon" && rsvg-convert -w \(size) "$icon" | file - || exit 1
            done
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 3)
        #expect(result.lines.allSatisfy { $0.contains("PNG image data, \(size) x \(size)") })
    }

    @Test("files are recognised by name and by content, and no other archive as a pass")
    func fileTypes() throws {
        let made = try program.shell(
            """
            mkdir -p .local/share/mime/packages && cp "$FILES/mime/passconduit.xml" .local/share/mime/packages &&
            update-mime-database .local/share/mime &&
            cp "$SAMPLE" a.pkpass && cp a.pkpass B.PKPASS && cp a.pkpass a.zip &&
            cp "$FILES/../Samples/mailbox/tree/Downloads/journey.pkpasses" . && python3 -c '
            import zipfile
            for name, first in [("bare", "pass.json"), ("extension", "manifest.json"), ("icons", "icon.png")]:
                with zipfile.ZipFile(name, "w") as archive: archive.writestr(first, b"{}")
            '
            """)
        try #require(made.status == 0, "\(made.errors)")
        for (name, type) in [
            ("a.pkpass", "vnd.apple.pkpass"), ("B.PKPASS", "vnd.apple.pkpass"), ("a.zip", "zip"),
            ("journey.pkpasses", "vnd.apple.pkpasses"), ("bare", "vnd.apple.pkpass"),
            ("extension", "zip"), ("icons", "zip"),
        ] {
            let gio = try program.shell("gio info -a standard::content-type \(name)")
            #expect(gio.output.contains("content-type: application/\(type)\n"), "\(name)")
            let mimetype = try program.shell("mimetype -b \(name); xdg-mime query filetype \(name)")
            #expect(mimetype.lines == Array(repeating: "application/\(type)", count: 2), "\(name)")
        }
    }

    @Test(
        "mail programs open a pass in a window where there is a display, and print its verdict elsewhere",
        arguments: [
            ("vnd.apple.pkpass", "pkpass"), ("vnd.apple.pkpasses", "pkpasses"),
            ("x-passbook", "pkpass"), ("vnd-com.apple.pkpass", "pkpass"),
        ])
    func mailcap(type: String, ending: String) throws {
        let found = try program.shell(
            """
            cp "$FILES/mailcap" .mailcap && cp "$SAMPLE" a.\(ending)
            DISPLAY=:9 run-mailcap --norun --action=view application/\(type):a.\(ending)
            run-mailcap --norun --nopager --action=cat application/\(type):a.\(ending)
            export MAILCAPS=.mailcap; DISPLAY=:9 python3 -W ignore -c '
            import mailcap
            print(mailcap.findmatch(mailcap.getcaps(), "application/\(type)", filename="a.\(ending)")[0])'
            """)
        #expect(found.lines.count == 3, "\(found.errors)")
        for (line, verb) in zip(found.lines, ["open", "verify", "open"]) {
            #expect(line.hasPrefix("passconduit \(verb) "), "\(found.lines)")
            #expect(line.contains("a.\(ending)"), "\(found.lines)")
        }
    }

    @Test("the mailcap line for a pass prints its verdict")
    func verdict() throws {
        var program = program
        program.environment["PATH"] = Program.folder.path + ":" + Program.searchPath
        let shown = try program.shell(
            """
            cp "$FILES/mailcap" .mailcap
            run-mailcap --nopager --action=cat application/x-pkpass:"$SAMPLE"
            """)
        #expect(shown.output.contains("Hillside Railway"))
        #expect(shown.output.contains("  verdict    untrusted: "))
    }

    @Test(
        "mutt in a terminal window opens a pass on the desktop, not in its own terminal")
    func muttOnDesktop() throws {
        var program = program
        program.environment["TERM"] = "xterm"
        let shown = try program.shell(
            """
            # A program of its own: beside the one that was built lies the real viewer.
            cp "$FILES/mailcap" .mailcap && mkdir bin
            ln "$PROGRAM" bin/passconduit 2>/dev/null || cp "$PROGRAM" bin/passconduit
            printf '#!/bin/sh\\n[ -t 0 ] || [ -t 1 ] || cmp "$2" "$SAMPLE" && echo same > shown\\n' > bin/passconduit-viewer
            chmod +x bin/passconduit-viewer
            { printf '%s\\n' 'From a@b.example Wed May  1 10:00:00 2024' 'From: a@b.example' MIME-Version:\\ 1.0 \\
                'Content-Type: application/x-passbook; name="my pass"' \\
                'Content-Transfer-Encoding: base64' ''; base64 "$SAMPLE"; echo; } > mail
            printf '%s\\n' 'set folder=. prompt_after=no tmpdir=.' > rc
            export DISPLAY=:9 PATH="$PWD/bin:$PATH"
            timeout 30 script -qec 'mutt -R -n -F rc -f mail -e "push <view-attachments><view-attach><exit><exit>"' \\
                log </dev/null >&2
            cat shown
            """)
        #expect(shown.output == "same\n")
    }

    @Test("mutt shows the verdict within the message")
    func mutt() throws {
        var program = program
        program.environment["PATH"] = Program.folder.path + ":" + Program.searchPath
        program.environment["TERM"] = "xterm"
        let shown = try program.shell(
            """
            cp "$FILES/mailcap" .mailcap
            printf '#!/bin/sh\\ncp "$1" shown\\n' > pager && chmod +x pager
            { printf '%s\\n' 'From a@b.example Wed May  1 10:00:00 2024' 'From: a@b.example' MIME-Version:\\ 1.0 \\
                'Content-Type: application/x-passbook; name="my pass"' \\
                'Content-Transfer-Encoding: base64' ''; base64 "$SAMPLE"; echo; } > mail
            printf '%s\\n' "set pager=./pager folder=. prompt_after=no wait_key=no tmpdir=." \\
                'auto_view application/vnd.apple.pkpass application/x-passbook' > rc
            timeout 30 script -qec 'mutt -R -n -F rc -f mail -e "push <display-message><exit>"' log </dev/null >&2
            cat shown
            """)
        #expect(shown.output.contains("Autoview using passconduit verify"))
        #expect(shown.output.contains("  verdict    untrusted: "))
    }
}
