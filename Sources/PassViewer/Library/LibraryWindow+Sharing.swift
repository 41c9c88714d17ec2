internal import Localization
internal import PassCommands

extension LibraryWindow {
    func export() {
        guard let detail = detail?.detail else { return }
        let session = session
        let dialog = FileDialog(localized("Export Pass"), name: detail.fileName, above: window)
        dialog.ask { [weak self] path in
            inBackground {
                Result { try session.export(detail.octets, to: path) }
            } then: { [weak self] result in
                self?.say(localized("Exported to {place}", ["place": path.escaped]), if: result)
            }
        }
    }

    func mail() {
        guard let detail = detail?.detail else { return }
        let session = session
        do {
            let path = try copies.path(of: detail)
            inBackground {
                Result { try session.mail(path) }
            } then: { [weak self] result in
                self?.say(nil, if: result)
            }
        } catch {
            bars.show(problem: "\(error)".escaped)
        }
    }

    private func say(_ text: String?, if result: Result<Void, any Error>) {
        switch result {
        case .success: if let text { bars.show(text, for: "news") }
        case .failure(let error): bars.show(problem: "\(error)".escaped)
        }
    }
}
