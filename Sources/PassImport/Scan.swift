import Bytes
import Glibc
import MailSource
import PassContainers
import PassDetection

extension ImportOptions {
    /// Reads the sources of a piece of work and judges what is found in them. Called by any worker.
    func perform(_ work: Work) -> WorkResult {
        var reader = MailReader()
        var scan = MessageScan(self)
        switch work {
        case .files(let steps):
            for step in steps {
                switch step {
                case .problem(let problem):
                    scan.begin(source: problem.path.description)
                    scan.report(problem.code, problem.detail)
                case .file(let file):
                    scan.begin(source: file.path.description)
                    scanFile(file, &reader, &scan)
                    scan.result.bytes += file.size
                }
                scan.result.sources += 1
            }
        case .mbox(let file, let range):
            scan.begin(source: file.path.description)
            scanRange(file, range, &reader, &scan)
            scan.result.sources += range.lowerBound == 0 ? 1 : 0
            scan.result.bytes += range.count
        case .standardInput:
            return StandardInput(self).read()
        }
        return scan.result
    }

    private func scanFile(
        _ file: SourceFile, _ reader: inout MailReader, _ scan: inout MessageScan
    ) {
        do throws(FileError) {
            let open = try file.open()
            let octets = Octets(lookingInto: open.descriptor, size: open.size)
            let prefix = try octets.array(0..<SourceKind.prefixLength)
            let kind = file.isMaildirMessage ? .message : SourceKind(prefix.span)
            if kind != .archive, let mail = try repairedMail(ByteSource(octets), prefix) {
                return try scanSource(mail.source, mail.kind, name: "", octets: nil, &reader, &scan)
            }
            let before = scan.result.events.count
            try scanSource(
                ByteSource(octets), kind, name: file.path.name, octets: octets, &reader, &scan)
            // A web page or a letter in the place of a pass is still said to be none.
            if kind == .mbox || kind == .message, scan.result.events.count == before,
                types.isPassName(file.path.name)
            {
                _ = scan.judgeFile(octets, name: file.path.name, isArchive: false)
            }
        } catch {
            // Between the walk and now the file may be gone.
            scan.report(error.code == ENOENT ? "vanished" : "unreadable", "\(error)")
        }
    }

    /// Mail whose lines end in carriage returns alone, with line feeds instead; nil for everything else.
    func repairedMail(
        _ source: ByteSource, _ prefix: [UInt8]
    ) throws(FileError) -> (source: ByteSource, kind: SourceKind)? {
        guard let prefix = LineEnds.repaired(prefix) else { return nil }
        let kind = SourceKind(prefix.span)
        guard kind == .message || kind == .mbox else { return nil }
        return (ByteSource(try LineEnds.repaired(source, spool)), kind)
    }

    private func scanRange(
        _ file: SourceFile, _ range: Range<Int>, _ reader: inout MailReader,
        _ scan: inout MessageScan
    ) {
        do throws(FileError) {
            let open = try file.open()
            defer { open.descriptor.close() }
            scan.result.ends = try reader.readMbox(open.bytes, range: range) {
                event, bytes, marks in
                scan.take(event, bytes, marks, isInMbox: true)
            }
        } catch {
            scan.report("unreadable", "\(error)")
        }
    }

    /// Reads a source as what it is.
    func scanSource(
        _ source: ByteSource, _ kind: SourceKind, name: String, octets: Octets?,
        _ reader: inout MailReader, _ scan: inout MessageScan
    ) throws(FileError) {
        switch kind {
        case .mbox:
            _ = try reader.readMbox(source) { event, bytes, marks in
                scan.take(event, bytes, marks, isInMbox: true)
            }
        case .message:
            try reader.readMessage(source) { event, bytes, marks in
                scan.take(event, bytes, marks, isInMbox: false)
            }
        case .archive, .empty, .other:
            guard let octets else { return }
            if scan.judgeFile(octets, name: name, isArchive: kind == .archive) == .message {
                try reader.readMessage(source) { event, bytes, marks in
                    scan.take(event, bytes, marks, isInMbox: false)
                }
            }
        }
    }
}
