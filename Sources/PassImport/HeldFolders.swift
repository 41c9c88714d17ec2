import Archives
import Bytes
import PassContainers
import Synchronization

/// Holds files of an archive that is read sequentially until it is known whether their folder is an
/// unpacked pass. The files of a folder come in any order.
final class HeldFolders: Sendable {
    struct Folder: Sendable {
        let name: String
        let isNamedPass: Bool
        var marks: PassFolderPath.Marks = []
        var files: [EntryName: UnpackedPass.File] = [:]

        var isPass: Bool { marks.arePass(isNamedPass: isNamedPass) }
    }

    private struct State {
        var folders: [EntryName: Folder] = [:]
        /// The names of the folders as they came; those before `first` were taken.
        var order: [EntryName] = []
        var first = 0
        /// In bytes, with the approximate cost of each file and folder.
        var size = 0
    }

    /// Of all folders, in bytes.
    let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Whether a file of this size, if known, may be of a pass: by its name, that of its folder, or
    /// the files that came before it.
    func wants(_ path: PassFolderPath, size: Int?) -> Bool {
        guard let size, size <= limit else { return false }
        let name = path.file.text.utf8
        return path.isNamedPass || !path.marks.isEmpty || name.suffix(4).elementsEqual(".png".utf8)
            || name.suffix(8).elementsEqual(".strings".utf8)
            || name.suffix(5).elementsEqual(".json".utf8)
            || state.withLock { $0.folders[path.folder]?.marks.isEmpty == false }
    }

    func add(_ file: UnpackedPass.File, at path: PassFolderPath) {
        state.withLock { state in
            if state.folders[path.folder] == nil {
                state.order.append(path.folder)
                state.size += HeldFolders.cost(path.folder)
            }
            var folder =
                state.folders.removeValue(forKey: path.folder)
                ?? Folder(name: path.folder.text, isNamedPass: path.isNamedPass)
            folder.marks.formUnion(path.marks)
            // As when unpacked, the last of several files with one name remains.
            let old = folder.files.updateValue(file, forKey: path.file)
            state.size += file.size - (old?.size ?? -HeldFolders.cost(path.file))
            state.folders[path.folder] = folder
        }
    }

    /// Takes the folder that came first, at the end of the archive or if the folders exceed the
    /// limit; nil if it is not time.
    func takeFirst(isAtEnd: Bool) -> Folder? {
        state.withLock { state in
            guard isAtEnd || state.size > limit, state.first < state.order.count else {
                return nil
            }
            let name = state.order[state.first]
            state.first += 1
            if state.first * 2 > state.order.count {
                state.order.removeFirst(state.first)
                state.first = 0
            }
            guard let folder = state.folders.removeValue(forKey: name) else { return nil }
            state.size -= HeldFolders.cost(name)
            for (name, file) in folder.files { state.size -= file.size + HeldFolders.cost(name) }
            return folder
        }
    }

    private static func cost(_ name: EntryName) -> Int { name.text.utf8.count + 300 }
}
