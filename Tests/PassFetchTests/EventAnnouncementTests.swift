import Fetching
import Loopback
import Testing

@Suite("A web service announces its stream of events in the response to a pass")
struct EventAnnouncementTests {
    @Test("with a pass, and with 304 if the pass has not changed")
    func announced() async throws {
        try await LoopbackServer.run { server in
            server.serve("/pass", Answer.pass("x".utf8).field("Passconduit-Events", "1"))
            server.serve("/same", Answer.status(304).field("Passconduit-Events", "1"))
            server.serve("/other", .pass("x".utf8))
            let program = try FetchProgram()
            #expect(try program.fetch(server.url("/pass")).announcesEvents)
            let same = try program.fetch(server.url("/same")) {
                $0.modifiedSince = "Sun, 06 Nov 1994 08:49:37 GMT"
            }
            #expect(same.isNotModified)
            #expect(same.announcesEvents)
            #expect(try program.fetch(server.url("/other")).announcesEvents == false)
        }
    }

    @Test("but not in the response of another server, nor after a redirect back from it")
    func redirected() async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                let pass = Answer.pass("x".utf8).field("Passconduit-Events", "1")
                home.serve("/own", .redirect(to: "/pass"))
                home.serve("/away", .redirect(to: other.url("/pass")))
                home.serve("/circle", .redirect(to: other.url("/back")))
                other.serve("/back", .redirect(to: home.url("/pass")))
                for server in [home, other] { server.serve("/pass", pass) }
                let program = try FetchProgram()
                for (path, isAnnounced) in [("/own", true), ("/away", false), ("/circle", false)] {
                    let outcome = try program.fetch(home.url(path))
                    #expect(outcome.size == 1)
                    #expect(outcome.announcesEvents == isAnnounced, "\(path)")
                }
            }
        }
    }
}
