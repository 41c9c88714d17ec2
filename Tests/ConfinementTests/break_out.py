"""Attempts what a confined program may and may not do, and prints the system's answers as JSON.

break_out.py PROBE [OPTION...]  creates the targets, then runs itself through the probe with these
                                options, and without it
break_out.py --try ...          makes the attempts
"""

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import pty
import resource
import signal
import socket
import struct
import subprocess
import sys

is_arm = os.uname().machine == "aarch64"
libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "")


def write(path, mode="w"):
    with open(path, mode) as file:
        file.write("text")


def read(path):
    with open(path) as file:
        return file.read()


def spool(folder):
    file = os.open(folder, os.O_RDWR | os.O_TMPFILE, 0o600)
    os.write(file, b"text")
    assert os.pread(file, 9, 0) == b"text"


def attach(process):
    if libc.ptrace(16, process, None, None) < 0:  # PTRACE_ATTACH
        raise OSError(ctypes.get_errno(), "")
    os.waitpid(process, 0)
    libc.ptrace(17, process, None, None)  # PTRACE_DETACH


def read_memory(process, address):
    buffer = ctypes.create_string_buffer(8)
    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    local = Vector(ctypes.addressof(buffer), 8)
    remote = Vector(address, 8)
    if libc.process_vm_readv(process, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "")


def connect(family, kind, address):
    with socket.socket(family, kind) as end:
        end.connect(address)
        end.send(b"text")


def unix_address(path):
    return struct.pack("H", socket.AF_UNIX) + path.encode()


def check(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), "")


def datagram_pair():
    """One end of a pair, which could send to any other socket by its address."""
    pair = (ctypes.c_int * 2)()
    check(libc.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM, 0, pair))
    return pair[0]


def send_to(end, path):
    address = unix_address(path)
    check(libc.sendto(end, b"text", 4, 0, address, len(address)))


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Message(ctypes.Structure):
    """struct mmsghdr, which begins with a struct msghdr."""
    _fields_ = [
        ("name", ctypes.c_char_p), ("name_length", ctypes.c_uint),
        ("vector", ctypes.POINTER(Vector)), ("count", ctypes.c_size_t),
        ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int), ("sent", ctypes.c_uint),
    ]

    def __init__(self, path):
        address = unix_address(path)
        super().__init__(address, len(address), ctypes.pointer(Vector(b"text", 4)), 1)


def send_message(end, path):
    check(libc.sendmsg(end, ctypes.byref(Message(path)), 0))


def send_messages(end, path):
    check(libc.sendmmsg(end, ctypes.byref(Message(path)), 1, 0))


def connect_end(end, path):
    address = unix_address(path)
    check(libc.connect(end, address, len(address)))
    check(libc.send(end, b"text", 4, 0))


def own_pipe(process):
    """Has the kernel signal the owner of a pipe when there is something to read."""
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, process)


def other_file_in_etc():
    names = ["hostname", "fstab", "issue", "shells", "debian_version"]
    return next(f"/etc/{name}" for name in names if os.path.isfile(f"/etc/{name}"))


def ring():
    call(425, 1, ctypes.create_string_buffer(120))


def be_root_in_a_namespace():
    process = libc.syscall(220 if is_arm else 56, 0x1000_0000 | signal.SIGCHLD, 0, 0, 0, 0)
    if process == 0:
        os._exit(0)
    if process < 0:
        raise OSError(ctypes.get_errno(), "")
    os.waitpid(process, 0)


def call_as_32_bits():
    """Calls getpid through the interrupt for 32-bit programs; its number is that of writev in 64 bits."""
    if is_arm:
        raise OSError(errno.ENOSYS, "")
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(bytes.fromhex("b814000000cd80c3"))
    function = ctypes.CFUNCTYPE(ctypes.c_int)(
        ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    # Kernels without these calls end the process.
    process = os.fork()
    if process == 0:
        answer = function()
        os._exit(0 if answer > 0 else -answer)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code != 0:
        raise OSError(code if code > 0 else errno.ENOSYS, "")


def type_into_terminal(terminal):
    with contextlib.suppress(OSError):
        os.setsid()
        fcntl.ioctl(terminal, 0x540E, 0)  # TIOCSCTTY
    fcntl.ioctl(terminal, 0x5412, b"x")  # TIOCSTI


def try_all():
    port, datagram_port, parent, address, terminal = map(int, sys.argv[2:])
    tries = {
        # Allowed.
        "read inside": lambda: read("inside/file"),
        "write inside": lambda: write("inside/new", "x"),
        "move inside": lambda: os.rename("inside/new", "inside/folder/new"),
        "truncate inside": lambda: open("inside/folder/new", "r+").truncate(1),
        "remove inside": lambda: os.unlink("inside/folder/new"),
        "make a folder inside": lambda: os.mkdir("inside/made"),
        "read what is for reading": lambda: read("readable/file"),
        "list what is for reading": lambda: os.listdir("readable"),
        "follow a link to it": lambda: read("inside/link"),
        "spool": lambda: spool("spool"),
        "start a program": lambda: subprocess.run(["/usr/bin/env", "true"], check=True),
        "signal itself": lambda: os.kill(os.getpid(), 0),
        # Forbidden.
        "read a secret": lambda: read("secret/file"),
        "read a secret by a link": lambda: read("inside/secret"),
        "list secrets": lambda: os.listdir("secret"),
        "write outside": lambda: write("secret/new", "x"),
        "append outside": lambda: open("secret/file", "a").close(),
        "write what is for reading": lambda: write("readable/new", "x"),
        "move outside": lambda: os.rename("inside/moved", "secret/moved"),
        "move inside from outside": lambda: os.rename("secret/moved-in", "inside/moved-in"),
        "link outside": lambda: os.link("inside/file", "secret/linked"),
        "link inside from outside": lambda: os.link("secret/file", "inside/linked"),
        "remove outside": lambda: os.unlink("secret/removed"),
        "make a folder outside": lambda: os.mkdir("secret/made"),
        "make a symbolic link outside": lambda: os.symlink("file", "secret/symbolic"),
        "make a name in the spool": lambda: write("spool/new", "x"),
        "list the spool": lambda: os.listdir("spool"),
        "remove from the spool": lambda: os.unlink("spool/file"),
        "start another program": lambda: subprocess.run(["secret/program"], check=True),
        "look at the parent's variables": lambda: open(f"/proc/{parent}/environ").read(),
        "read another file in /etc": lambda: read(other_file_in_etc()),
        "read the parent's command line": lambda: read(f"/proc/{parent}/cmdline"),
        "read the parent's status": lambda: read(f"/proc/{parent}/status"),
        "list all processes": lambda: os.listdir("/proc"),
        "truncate outside": lambda: os.truncate("secret/truncated", 0),
        "truncate what is for reading": lambda: os.open("readable/file", os.O_TRUNC),
        "set permissions": lambda: os.chmod("secret/file", 0o640),
        "set times": lambda: os.utime("secret/file", (1, 1)),
        "set permissions of an open file": lambda: os.fchmod(
            os.open("readable/file", os.O_RDONLY), 0o640),
        "limit the parent": lambda: resource.prlimit(
            parent, resource.RLIMIT_CORE, resource.prlimit(parent, resource.RLIMIT_CORE)),
        "put the parent last": lambda: os.setpriority(os.PRIO_PROCESS, parent, 1),
        "tie the parent to a core": lambda: os.sched_setaffinity(
            parent, os.sched_getaffinity(parent)),
        "share memory": lambda: call(194 if is_arm else 29, 0, 4096, 0o1600),
        "be root in a namespace": be_root_in_a_namespace,
        "connect by TCP": lambda: connect(
            socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
        "send by UDP": lambda: connect(
            socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", datagram_port)),
        "connect to a service": lambda: connect(
            socket.AF_UNIX, socket.SOCK_STREAM, "inside/socket"),
        "connect to a service without a file": lambda: connect(
            socket.AF_UNIX, socket.SOCK_STREAM, f"\0passconduit-{parent}"),
        "send by a pair": lambda: send_to(datagram_pair(), "inside/datagrams"),
        "send by a pair without a file": lambda: send_to(
            datagram_pair(), f"\0passconduit-datagrams-{parent}"),
        "send a message by a pair": lambda: send_message(datagram_pair(), "inside/datagrams"),
        "send messages by a pair": lambda: send_messages(datagram_pair(), "inside/datagrams"),
        "connect an end of a pair": lambda: connect_end(datagram_pair(), "inside/datagrams"),
        "send by the standard input": lambda: send_to(0, "inside/datagrams"),
        "send a message by the standard input": lambda: send_message(0, "inside/datagrams"),
        "send messages by the standard input": lambda: send_messages(0, "inside/datagrams"),
        "connect the standard input": lambda: connect_end(0, "inside/datagrams"),
        "have the kernel signal the parent": lambda: own_pipe(parent),
        "trace the parent": lambda: attach(parent),
        "read the parent's memory": lambda: read_memory(parent, address),
        "signal the parent": lambda: os.kill(parent, signal.SIGCONT),
        "set up a ring": ring,
        "use the kernel's ciphers": lambda: socket.socket(
            socket.AF_ALG, socket.SOCK_SEQPACKET).close(),
        "make a call of 32-bit programs": call_as_32_bits,
        "type into the terminal": lambda: type_into_terminal(terminal),
    }
    answers = {}
    for name, attempt in tries.items():
        try:
            attempt()
            answers[name] = "done"
        except OSError as error:
            answers[name] = errno.errorcode[error.errno]
    print(json.dumps(answers))


def prepare(folder):
    os.makedirs(folder)
    os.chdir(folder)
    for name in ["inside/folder", "secret", "readable", "spool"]:
        os.makedirs(name)
    for name in [
        "inside/file", "inside/moved", "secret/file", "secret/moved-in", "secret/removed",
        "secret/truncated", "readable/file", "spool/file",
    ]:
        write(name)
    os.symlink("../readable/file", "inside/link")
    os.symlink("../secret/file", "inside/secret")
    subprocess.run(["cp", "/usr/bin/true", "secret/program"], check=True)


def run(command):
    """Runs a command with a socket to connect to."""
    with socket.create_server(("127.0.0.1", 0)) as stream, socket.socket(
        socket.AF_INET, socket.SOCK_DGRAM
    ) as datagrams, socket.socket(socket.AF_UNIX) as service, socket.socket(
        socket.AF_UNIX
    ) as nameless, socket.socket(
        socket.AF_UNIX, socket.SOCK_DGRAM
    ) as local, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as nameless_local, socket.socket(
        socket.AF_UNIX, socket.SOCK_DGRAM
    ) as standard_input:
        datagrams.bind(("127.0.0.1", 0))
        service.bind("inside/socket")
        service.listen()
        nameless.bind(f"\0passconduit-{os.getpid()}")
        nameless.listen()
        local.bind("inside/datagrams")
        nameless_local.bind(f"\0passconduit-datagrams-{os.getpid()}")
        buffer = ctypes.create_string_buffer(8)
        _, terminal = pty.openpty()
        numbers = [
            stream.getsockname()[1], datagrams.getsockname()[1], os.getpid(),
            ctypes.addressof(buffer), terminal,
        ]
        answer = subprocess.run(
            command + [sys.executable, "-I", "-S", "-B", __file__, "--try", *map(str, numbers)],
            stdin=standard_input, stdout=subprocess.PIPE, pass_fds=[terminal])
        return json.loads(answer.stdout)


if sys.argv[1] == "--try":
    try_all()
else:
    # If Yama restricts ptrace, allow these processes to trace this one.
    libc.prctl(0x59616D61, ctypes.c_ulong(-1))
    root = os.getcwd()
    answers = {}
    for name, command in [("free", []), ("confined", sys.argv[1:])]:
        prepare(f"{root}/{name}")
        answers[name] = run(command)
    print(json.dumps(answers))
