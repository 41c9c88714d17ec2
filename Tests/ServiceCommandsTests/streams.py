#!/usr/bin/env python3
"""Event streams of many computers, after passconduit-events(7). Usage: streams.py COUNT LAST-EVENT-ID PORT...

Opens a stream for each of the devices 1 to COUNT, as 32 hexadecimal digits, at one server after the other, and prints a
line of JSON when each has its first event. For each line of input, runs the command (a JSON array), and prints the time
from its end until the last stream had an event, in seconds. At the end of the input, waits until all streams have
ended.
"""

import json
import re
import resource
import selectors
import socket
import subprocess
import sys
import threading
import time

COUNT, LAST = int(sys.argv[1]), sys.argv[2]
PORTS = [int(port) for port in sys.argv[3:]]
# A test that waits longer than this has failed.
PATIENCE = 30
_, HARD = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(HARD, 4096), HARD))
SELECTOR = selectors.DefaultSelector()


class Stream:
    def __init__(self, number):
        self.received, self.tag, self.time, self.isOpen = b"", -1, 0.0, True
        self.socket = socket.create_connection(("127.0.0.1", PORTS[number % len(PORTS)]), timeout=PATIENCE)
        self.socket.sendall((f"GET /v1/devices/{number:032x}/events HTTP/1.1\r\nHost: a\r\n"
                             f"Accept: text/event-stream\r\nLast-Event-ID: {LAST}\r\n\r\n").encode())
        self.socket.setblocking(False)
        SELECTOR.register(self.socket, selectors.EVENT_READ, self)

    def read(self):
        try:
            piece = self.socket.recv(65536)
        except ConnectionError:
            piece = b""
        if not piece:
            self.isOpen = False
            SELECTOR.unregister(self.socket)
        self.received += piece
        tags = re.findall(rb"\nid: (\d+)\nevent: changes\ndata: {.*}\n\n", self.received)
        if tags and int(tags[-1]) > self.tag:
            self.tag, self.time = int(tags[-1]), time.monotonic()


def wait(condition):
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < PATIENCE, [stream.received for stream in STREAMS if stream.tag < 0][:1]
        for key, _ in SELECTOR.select(0.05):
            key.data.read()


def say(**values):
    print(json.dumps(values), flush=True)


STREAMS = [Stream(number + 1) for number in range(COUNT)]
START = time.monotonic()
wait(lambda: all(stream.tag >= 0 for stream in STREAMS))
assert all(stream.received.startswith(b"HTTP/1.1 200 ") for stream in STREAMS)
say(open=COUNT, seconds=time.monotonic() - START)
for line in sys.stdin:
    before = max(stream.tag for stream in STREAMS)
    ends = []

    def run(command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ends.append(time.monotonic())

    thread = threading.Thread(target=run, args=[json.loads(line)])
    thread.start()
    wait(lambda: ends and all(stream.tag > before for stream in STREAMS))
    delays = sorted(stream.time - ends[0] for stream in STREAMS)
    say(median=delays[COUNT // 2], slowest=delays[-1])
wait(lambda: not any(stream.isOpen for stream in STREAMS))
# The last chunk (RFC 9112, 7.1).
say(complete=sum(stream.received.endswith(b"\r\n0\r\n\r\n") for stream in STREAMS))
