import MIME
import Testing

@Suite("An external body gives its location and its type")
struct ExternalBodyTests {
    @Test(
        "for every access-type",
        arguments: [
            // The examples in RFC 2046, 5.2.3.1, RFC 2046, 5.2.3.6 and RFC 2017, 4.
            (
                """
                name="BodyFormats.ps"; site="thumper.bellcore.com"; mode="image";
                 access-type=ANON-FTP; directory="pub"; expiration="Fri, 14 Jun 1991 19:13:14 -0400"
                """, "anon-ftp, thumper.bellcore.com, pub, BodyFormats.ps"
            ),
            (
                """
                access-type=local-file;
                 name="/u/nsb/writing/rfcs/RFC-MIME.ps"; site="thumper.bellcore.com"
                """, "local-file, thumper.bellcore.com, /u/nsb/writing/rfcs/RFC-MIME.ps"
            ),
            (
                """
                access-type=URL;
                 URL="http://www.foo.com/file"
                """, "url, http://www.foo.com/file"
            ),
            (
                """
                access-type=URL; URL="ftp://www.deeply.nested.com/files/
                 are/far/ away/file"
                """, "url, ftp://www.deeply.nested.com/files/are/far/away/file"
            ),
            ("", ""),
        ])
    func places(parameters: String, place: String) throws {
        let part = try part(parameters, "Content-Type: image/jpeg\n\n")
        guard case .externalBody(let body) = part?.kind else {
            Issue.record("it is no such part")
            return
        }
        #expect(body.place == place)
    }

    @Test(
        "its header is in its body",
        arguments: [
            (
                "Content-Type: image/jpeg\nContent-ID: <x@y>\n\nTHIS IS NOT REALLY THE BODY!\n",
                "image/jpeg"
            ),
            ("\nContent-Type:\n\timage/jpeg\n", "image/jpeg"), ("Content-ID: <x@y>\n", ""),
            ("", ""),
            ("Content-ID: <x@y>\n\nContent-Type: image/jpeg\n", ""),
        ])
    func phantomHeaders(body: String, mediaType: String) throws {
        let part = try part("access-type=x", body)
        let header = try part?.phantomHeader(limits: MIMELimits())
        #expect(header?.mediaTypes.first ?? "" == mediaType)
    }

    private func part(_ parameters: String, _ body: String) throws -> CollectedPart? {
        let message = "Content-Type: message/external-body; \(parameters)\n\n\(body)"
        var parser = MessageParser { _ in true }
        return try collected(Array(message.utf8), &parser).first
    }
}
