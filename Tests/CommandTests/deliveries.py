"""Delivers messages to passconduit-deliver like a mail system, and reports the results.

    deliveries.py mail PASSES FOLDER           puts each pass of a folder into a mail
    deliveries.py VERB PROGRAM PASSES LIBRARY NUMBER... [-- OPTION...]

The verbs are the functions below, with their numbers; the options are for the program. Prints one JSON
object. Random choices are the same in every run, except for the times of kills.
"""

import base64, collections, json, os, queue, random, signal, sqlite3, subprocess, sys, tempfile
import threading, time


def make_mail(passes, folder):
    """Puts each pass into a mail of the same number."""
    os.makedirs(folder)
    for name in os.listdir(passes):
        number, kind = os.path.splitext(name)
        if kind != ".pkpass":
            continue
        with open(os.path.join(passes, name), "rb") as file:
            octets = message(int(number), file.read())
        with open(os.path.join(folder, number + ".eml"), "wb") as file:
            file.write(octets)
    return {}


def message(number, attachment=None):
    head = ("From: Post <post@example.org>\nMessage-ID: <%s@example.org>\nSubject: Parcel\n"
        "Date: Wed, 1 May 2024 10:00:00 +0000\nMIME-Version: 1.0\n" % number)
    if attachment is None:
        return (head + "\n" + "Nothing but words.\n" * (number % 200)).encode()
    return (head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHere it is.\n--b\n"
        "Content-Type: application/vnd.apple.pkpass; name=p.pkpass\n"
        "Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(attachment).decode()
        + "--b--\n").encode()


class Post:
    """A mail system's configuration: the delivery program and its arguments."""

    def __init__(self, program, passes, library, options):
        self.library = library
        self.index = os.path.join(library, "library.sqlite")
        self.words = [program, "--library", library, "--trust-root",
            os.path.join(passes, "authority.pem"), *options]
        self.passes = [open(os.path.join(passes, "%d.eml" % number), "rb").read()
            for number in range(len(os.listdir(passes)) - 1)]
        self.errors = collections.Counter()
        self.lock = threading.Lock()

    def deliver(self, octets, kill_after=None, kill=os.killpg, prefix=()):
        """Delivers a message; returns the exit code, or the signal as a negative number."""
        with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as errors:
            text.write(octets)
            text.seek(0)
            child = subprocess.Popen([*prefix, *self.words], stdin=text, stdout=subprocess.DEVNULL,
                stderr=errors, start_new_session=True)
            if kill_after is not None:
                time.sleep(kill_after)
                try:
                    kill(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            child.wait()
            errors.seek(0)
            said = errors.read().decode()
        if said:
            with self.lock:
                self.errors[said] += 1
        return child.returncode

    def measure(self, octets, note):
        """Delivers a message; returns the exit code and the peak memory in KiB of the program and its
        children, measured by time(1), since the system's own figure would include this process."""
        status = self.deliver(octets, prefix=["/usr/bin/time", "-q", "-f", "%M", "-o", note])
        with open(note) as file:
            return status, int(file.read())

    def stored(self):
        """The serial numbers of the passes in the library, sorted; None if it cannot be read."""
        program = os.path.join(os.path.dirname(self.words[0]), "passconduit")
        listed = subprocess.run([program, "list", "--json", "--limit", "100000", "--library",
            self.library], capture_output=True)
        if listed.returncode != 0:
            return None
        return sorted(int(json.loads(line)["pass"]["serialNumber"])
            for line in listed.stdout.splitlines())

    def spread(self, workers, work):
        """Runs the same work in threads until each item is done."""
        failures = []
        def run():
            try:
                work()
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=run) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def result(self, **more):
        return dict(more, stored=self.stored(), errors=sorted(self.errors.elements())[:20])


def together(post, passes, plain, repeats):
    """Sixteen deliveries at a time: passes, some of them twice, among messages without a pass."""
    chance = random.Random(2)
    messages = [message(number) for number in range(plain)] + post.passes[:passes]
    messages += [chance.choice(post.passes[:passes]) for _ in range(repeats)]
    chance.shuffle(messages)
    waiting = queue.SimpleQueue()
    for octets in messages:
        waiting.put(octets)
    statuses, logs = collections.Counter(), [0]
    def work():
        while True:
            try:
                octets = waiting.get_nowait()
            except queue.Empty:
                return
            status = post.deliver(octets)
            with post.lock:
                statuses[status] += 1
                try:
                    logs.append(os.path.getsize(post.index + "-wal"))
                except FileNotFoundError:
                    pass
    post.spread(16, work)
    return post.result(statuses=statuses, log=max(logs))


def killed(post, passes, kills):
    """Delivers each pass; kills deliveries, with or without their children, and repeats each delivery
    that did not exit with 0 until it does."""
    start = time.monotonic()
    post.deliver(post.passes[0])
    usual = time.monotonic() - start
    waiting = collections.deque(range(passes))
    statuses = collections.Counter()
    def work():
        chance = random.Random()
        while True:
            with post.lock:
                if not waiting:
                    return
                number = waiting.popleft()
                aims = statuses[-signal.SIGKILL] < kills
            after = chance.uniform(0, usual * 1.5) if aims else None
            kill = os.kill if chance.random() < 0.25 else os.killpg
            status = post.deliver(post.passes[number], after, kill)
            with post.lock:
                statuses[status] += 1
                if status != 0 or statuses[-signal.SIGKILL] < kills:
                    waiting.append(number)
    post.spread(2, work)
    return post.result(statuses=statuses)


def mending(post, passes, kills):
    """Damages the index of a library again and again, and kills the processes that repair it."""
    for number in range(passes):
        post.deliver(post.passes[number])
    start = time.monotonic()
    statuses = collections.Counter()
    chance = random.Random()
    usual = None
    while statuses[-signal.SIGKILL] < kills:
        if os.path.exists(post.index):
            os.truncate(post.index, chance.choice([0, 5000, 40_000]))
        start = time.monotonic()
        after = usual and chance.uniform(0, usual)
        statuses[post.deliver(post.passes[chance.randrange(passes)], after)] += 1
        usual = usual or time.monotonic() - start
    statuses[post.deliver(post.passes[0])] += 1
    post.errors.clear()
    statuses[post.deliver(post.passes[0])] += 1
    return post.result(statuses=statuses)


def many(post, passes, count):
    """One message after the other, few of them with a pass."""
    peaks, logs, statuses = [], [0], collections.Counter()
    for number in range(count):
        with_pass = number % (count // passes) == 0
        octets = post.passes[number * passes // count] if with_pass else message(number)
        status, peak = post.measure(octets, post.library + ".peak")
        statuses[status] += 1
        peaks.append((with_pass, peak))
        if with_pass and os.path.exists(post.index + "-wal"):
            logs.append(os.path.getsize(post.index + "-wal"))
    peak = lambda part, kind: max(kib for with_pass, kib in part if with_pass == kind)
    tenth = count // 10
    return post.result(statuses=statuses, log=max(logs), left=len(os.listdir(os.environ["TMPDIR"])),
        plain=[peak(peaks[:tenth], False), peak(peaks[-tenth:], False)],
        passes=[peak(peaks[:tenth], True), peak(peaks[-tenth:], True)])


def log(post, passes):
    """Leaves a library as after a crash: the last commits are in the log only."""
    statuses = collections.Counter([post.deliver(post.passes[0])])
    # The last connection to close checkpoints the log into the index, unless it is killed.
    holder = subprocess.Popen([sys.executable, "-c", "import sqlite3, sys, time\n"
        "index = sqlite3.connect(sys.argv[1])\n"
        "print(index.execute('SELECT count(*) FROM passes').fetchone(), flush=True)\n"
        "time.sleep(600)", post.index], stdout=subprocess.PIPE)
    holder.stdout.readline()
    for number in range(1, passes):
        statuses[post.deliver(post.passes[number])] += 1
    holder.kill()
    holder.wait()
    return dict(statuses=statuses, errors=[], log=os.path.getsize(post.index + "-wal"))


def locked(post, seconds):
    """Delivers while another process writes to the index, and again afterwards."""
    statuses = [post.deliver(post.passes[0])]
    holder = sqlite3.connect(post.index, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(seconds, lambda: holder.execute("ROLLBACK"))
    release.start()
    statuses.append(post.deliver(post.passes[1]))
    release.join()
    holder.close()
    return post.result(codes=statuses + [post.deliver(post.passes[2])])


def full(post, kilobytes, step):
    """Delivers passes to a disk that is full except for a few kilobytes, more each time; the library has
    its own disk. Returns the exit codes, and whether the library held exactly the accepted passes each time."""
    codes, whole = [post.deliver(post.passes[0])], True
    accepted = [0]
    filler = os.path.join(os.path.dirname(post.library), "filler")
    for free in range(0, kilobytes, step):
        fill(filler, free << 10)
        number = len(accepted)
        codes.append(post.deliver(post.passes[number]))
        if codes[-1] == 0:
            accepted.append(number)
        os.truncate(filler, 0)
        whole = whole and post.stored() == accepted
    for number in range(len(post.passes))[:len(accepted) + 3]:
        codes.append(post.deliver(post.passes[number]))
    return post.result(codes=codes, whole=whole)


def spooled(post, kilobytes, step):
    """Delivers passes while the library's disk is full except for a few kilobytes, so that some are
    spooled; then frees the disk and delivers one more pass."""
    codes = [post.deliver(post.passes[0])]
    filler = os.path.join(os.path.dirname(post.library), "filler")
    kept = 0
    for free in range(0, kilobytes, step):
        fill(filler, free << 10)
        codes.append(post.deliver(post.passes[len(codes)]))
        kept = max(kept, waiting_messages(post))
    os.truncate(filler, 0)
    for _ in range(2 + len(codes) // 16):
        codes.append(post.deliver(post.passes[0]))
    return post.result(codes=codes, kept=kept, left=waiting_messages(post))


def draining(post, passes, kills):
    """Spools passes while there is no library, and kills the processes that import them."""
    open(post.library, "w").close()
    codes = [post.deliver(post.passes[number]) for number in range(passes)]
    kept = waiting_messages(post)
    os.remove(post.library)
    statuses = collections.Counter()
    chance = random.Random()
    latest = 0.6
    while statuses[-signal.SIGKILL] < kills:
        start = time.monotonic()
        status = post.deliver(post.passes[0], chance.uniform(0, latest),
            chance.choice([os.kill, os.killpg]))
        statuses[status] += 1
        if status == 0:
            latest = min(latest, (time.monotonic() - start) * 1.2)
    for _ in range(2 + passes // 16):
        codes.append(post.deliver(post.passes[0]))
    return post.result(codes=codes, statuses=statuses, kept=kept, left=waiting_messages(post))


def waiting_messages(post):
    """The number of messages in the spool."""
    spool = next(word for word in post.words if word.startswith("--spool="))[len("--spool="):]
    try:
        return len(os.listdir(os.path.join(spool, "new")))
    except FileNotFoundError:
        return 0


def fill(path, free):
    """Fills a disk with a file until only this many bytes are free."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        file.truncate(max(0, file.tell() - free))


def main(verb, *words):
    if verb == "mail":
        return make_mail(*words)
    options = words[words.index("--") + 1:] if "--" in words else ()
    numbers = words[3:len(words) - len(options) - 1] if options else words[3:]
    return globals()[verb](Post(*words[:3], options), *map(int, numbers))


print(json.dumps(main(*sys.argv[1:])))
