internal import Foundation

extension Environment {
    /// The existing folders in which the user's mail and downloads arrive.
    package func watchedPlaces(isThere: (String) -> Bool) -> [String] {
        var places = ["\(home)/Maildir", "\(home)/Mail"]
        if let spool = self["MAIL"] ?? (self["USER"] ?? self["LOGNAME"]).map({ "/var/mail/\($0)" })
        {
            places.append(spool)
        }
        let settings = configFolder + "/user-dirs.dirs"
        let downloads = folder("XDG_DOWNLOAD_DIR", in: settings) ?? "\(home)/Downloads"
        // Without a download folder, xdg-user-dirs names the home folder, which is too much to
        // watch.
        if downloads != home { places.append(downloads) }
        var seen: Set<String> = []
        return places.filter { seen.insert($0).inserted && isThere($0) }
    }

    /// Reads a folder from the file of xdg-user-dirs(5). Its lines look like
    /// `XDG_DOWNLOAD_DIR="$HOME/Downloads"`; a path begins with `$HOME/` or a slash.
    private func folder(_ name: String, in file: String) -> String? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0].trimmingCharacters(in: .whitespaces) == name else {
                continue
            }
            var path = words[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
            if path.hasPrefix("$HOME") { path = home + path.dropFirst("$HOME".count) }
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            if path.hasPrefix("/") { return path }
        }
        return nil
    }
}
