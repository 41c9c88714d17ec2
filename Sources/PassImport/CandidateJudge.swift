import Archives
import Bytes
import MIME
import PassContainers
import PassDetection
import PassVerification

/// Decides what a part or a file is, opens what contains passes, and has each pass verified.
struct CandidateJudge {
    private let options: ImportOptions
    /// Made when it is first asked. Belongs to one worker, as this value does.
    private var fileTypes: FileTypes?
    /// How many octets wait in results for their turn to be imported.
    private var held = 0

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// Passes wait in memory while they are few, and in files when a piece of work is full of them.
    private var spool: SpoolPolicy {
        var policy = options.spool
        if held > options.heldInMemory { policy.memory = 0 }
        return policy
    }

    /// The results were taken, and what they hold with them.
    mutating func forgetHeld() {
        held = 0
    }

    /// Where something lies: all that a record says of it beside the verdict.
    private struct Place {
        let source: String
        let message: MessageReference?
        var part: String
        var header: PartHeader
    }

    /// The number of a part within the part around it.
    static func number(_ number: String, within outer: String) -> String {
        outer.isEmpty ? number : number.isEmpty ? outer : "\(outer).\(number)"
    }

    /// What libmagic says of the bytes.
    mutating func mediaType(of octets: Octets) -> String? {
        let types = fileTypes ?? FileTypes()
        fileTypes = types
        return types.mediaType(of: octets)
    }

    /// Judges a file, whose bytes others may still change.
    mutating func judge(
        file: Octets, header: PartHeader, source: String, into events: inout [Event]
    ) {
        let place = Place(source: source, message: nil, part: "", header: header)
        do throws(FileError) {
            let isPass: Bool
            switch contents(of: file) {
            case .container(let members):
                judge(members, at: place, into: &events)
                return
            case .pass:
                isPass = true
            case .other:
                guard options.takesFilesForPasses || !options.types.evidence(header).isEmpty
                else { return }
                isPass = false
            }
            // What is judged is what is kept: from here on a copy that is ours alone. What is larger
            // than any pass is refused without one.
            let limit = options.verifier.limits.archive
            let octets = try ByteSource(file).octets(limit: limit, spool) ?? file
            report(verify(octets, place, isPass: isPass), into: &events)
        } catch {
            events.append(problem("unreadable", "\(error)", at: place))
        }
    }

    /// Judges a part of a message, in each way that it can be decoded, until one gives a pass that
    /// is intact.
    mutating func judge(
        _ part: CollectedPart, within outer: String, _ source: String,
        _ message: MessageReference, into events: inout [Event]
    ) {
        let place = Place(
            source: source, message: message,
            part: CandidateJudge.number(part.number, within: outer), header: part.header)
        var best: FoundPass?
        var first: Octets?
        do throws(FileError) {
            decodings: for decoding in part.decodings {
                let octets = try BodyDecoder.decode(part.body, decoding, spool: spool)
                if first == nil { first = octets }
                switch contents(of: octets) {
                case .container(let members):
                    judge(members, at: place, into: &events)
                    return
                case .pass:
                    let found = verify(octets, place, isPass: true)
                    let isIntact = found.verification.verified != nil
                    if isIntact || best?.verification.verdict ?? .malformed == .malformed {
                        best = found
                    }
                    if isIntact { break decodings }
                case .other(let isArchive):
                    // Decoded as it was meant, and none: most are office files.
                    if isArchive { break decodings }
                }
            }
        } catch {
            events.append(problem("unreadable", "\(error)", at: place))
            return
        }
        if let best {
            report(best, into: &events)
        } else if let first, !options.types.evidence(part.header).isEmpty {
            report(verify(first, place, isPass: false), into: &events)
        }
    }

    /// Judges the members of a container, and of the containers in it, in their order.
    private mutating func judge(
        _ members: [Contents.Member], at outer: Place, into events: inout [Event]
    ) {
        let limits = options.containers
        var count = 0
        var rest = limits.total
        var waiting = members.reversed().map { (member: $0, outer: outer.part, depth: 1) }
        while let (member, part, depth) = waiting.popLast() {
            let name = PartHeader.fileName(member.name) ?? member.name
            let place = Place(
                source: outer.source, message: outer.message, part: "\(part)!\(member.name)",
                header: PartHeader(names: [name]))
            count += 1
            guard count <= limits.members, rest > 0 else {
                let limit =
                    rest > 0 ? "\(limits.members) members" : "\(limits.total >> 20) MiB inflated"
                let code = rest > 0 ? "limit-members" : "limit-inflated"
                events.append(problem(code, "the archive holds more than \(limit)", at: place))
                return
            }
            let octets: Octets
            do throws(ZipError) {
                octets = try member.octets(limit: rest, spool: spool)
            } catch {
                events.append(problem("unreadable", "\(error)", at: place))
                rest -= min(member.costOfRefusal(error, limits.archive), rest)
                continue
            }
            rest -= octets.count
            switch contents(of: octets) {
            case .pass:
                report(verify(octets, place, isPass: true), into: &events)
            case .container(let inner) where depth < limits.depth:
                for member in inner.reversed() { waiting.append((member, place.part, depth + 1)) }
            case .container:
                events.append(
                    problem("limit-depth", "archives are nested too deep", at: place))
            case .other:
                guard options.types.isPassName(name) else { continue }
                report(verify(octets, place, isPass: false), into: &events)
            }
        }
    }

    private func contents(of octets: Octets) -> Contents {
        Contents(octets, types: options.types, limits: options.containers)
    }

    private mutating func verify(_ octets: Octets, _ place: Place, isPass: Bool) -> FoundPass {
        let types = options.types
        var evidence = types.evidence(place.header)
        if isPass { evidence.insert(.content) }
        return FoundPass(
            source: place.source, message: place.message, part: place.part,
            name: types.preferredName(place.header),
            mediaType: types.preferredMediaType(place.header), evidence: evidence,
            verification: options.verifier.verify(octets),
            otherType: isPass ? nil : otherType(of: octets))
    }

    /// What can be said of something that is no pass, mostly by libmagic. That it is a ZIP archive, or bytes, tells
    /// a person nothing.
    private mutating func otherType(of octets: Octets) -> String? {
        if octets.isEmpty { return "an empty file" }
        guard let type = mediaType(of: octets), type != "application/zip",
            type != "application/octet-stream"
        else { return nil }
        return type
    }

    /// Who only looks keeps no passes: a run finds more of them than memory holds.
    private mutating func report(_ found: FoundPass, into events: inout [Event]) {
        var found = found
        let isAdmitted =
            options.library != nil && options.policy.admits(found.verification.verdict)
        if !isAdmitted { found.verification.verified = nil }
        if let pass = found.verification.verified { held += pass.size }
        events.append(.pass(found))
    }

    private func problem(_ code: String, _ detail: String, at place: Place) -> Event {
        .problem(
            Problem(
                source: place.source, message: place.message,
                part: place.part.isEmpty ? nil : place.part, code: code, detail: detail))
    }
}
