/// Programs that read and do almost nothing else: a lower bound for any scan.
enum ReadingSources {
    /// Reads files or standard input into one buffer.
    static let read = #"""
        #include <fcntl.h>
        #include <unistd.h>

        static char buffer[256 << 10];

        int main(int count, char **paths) {
            for (int index = count > 1; index < count; index++) {
                int file = index ? open(paths[index], O_RDONLY) : 0;
                if (file < 0) return 1;
                ssize_t got;
                while ((got = read(file, buffer, sizeof buffer)) > 0) {}
                if (got < 0) return 1;
                close(file);
            }
            return 0;
        }
        """#

    /// Reads a file, and counts the lines that may separate messages or parts.
    static let lines = #"""
        #include <fcntl.h>
        #include <stdio.h>
        #include <string.h>
        #include <unistd.h>

        enum { SIZE = 256 << 10, BLOCK = 256, AHEAD = 6 };
        static unsigned char buffer[AHEAD + SIZE + BLOCK];

        int main(int count, char **paths) {
            int file = count > 1 ? open(paths[1], O_RDONLY) : 0;
            unsigned long found = 0;
            ssize_t got;
            buffer[AHEAD - 1] = '\n';
            while ((got = read(file, buffer + AHEAD, SIZE)) > 0) {
                // A line's start is looked at when the five bytes behind it have come.
                for (ssize_t start = 0; start < got; start += BLOCK) {
                    const unsigned char *p = buffer + start;
                    unsigned char any = 0;
                    for (int i = 0; i < BLOCK; i++)
                        any |= (p[i] == '\n') & ((p[i + 1] == '-') | (p[i + 1] == 'F'));
                    if (!any) continue;
                    for (ssize_t i = 0; i < BLOCK && start + i < got; i++)
                        found += p[i] == '\n'
                            && (!memcmp(p + i + 1, "--", 2) || !memcmp(p + i + 1, "From ", 5));
                }
                memmove(buffer, buffer + got, AHEAD);
            }
            printf("%lu\n", found);
            return got < 0;
        }
        """#

    /// Opens, reads and closes each file of a folder.
    static let folder = #"""
        #include <dirent.h>
        #include <fcntl.h>
        #include <unistd.h>

        static char buffer[256 << 10];

        int main(int count, char **paths) {
            DIR *folder = count > 1 ? opendir(paths[1]) : 0;
            if (!folder) return 1;
            struct dirent *entry;
            while ((entry = readdir(folder))) {
                if (entry->d_type != DT_REG) continue;
                int file = openat(dirfd(folder), entry->d_name, O_RDONLY);
                while (read(file, buffer, sizeof buffer) > 0) {}
                close(file);
            }
            return 0;
        }
        """#

    /// Parses each message of a mailbox with GMime, in Python; only the loop is Python.
    static let gmime = #"""
        import os, sys
        import gi
        gi.require_version("GMime", "3.0")
        from gi.repository import GMime

        GMime.init()
        stream = GMime.StreamFs.new(os.open(sys.argv[1], os.O_RDONLY))
        parser = GMime.Parser.new_with_stream(stream)
        parser.set_format(GMime.Format.MBOX)
        count = 0
        while not parser.eos():
            count += parser.construct_message(None) is not None
        print(count)
        """#
}
