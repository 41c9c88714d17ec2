"""Starts a program as on a kernel without Landlock: Landlock's system calls fail with ENOSYS.

without_landlock.py PROGRAM [ARGUMENT...]
"""

import ctypes
import errno
import os
import struct
import sys

LOAD, EQUALS, END = 0x20, 0x15, 0x06
ALLOW, FAIL = 0x7FFF0000, 0x00050000 | errno.ENOSYS
CREATE_RULESET = 444
rows = [(LOAD, 0, 0, 0), (EQUALS, 0, 1, CREATE_RULESET), (END, 0, 0, FAIL), (END, 0, 0, ALLOW)]
code = b"".join(struct.pack("HBBI", *row) for row in rows)


class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("rows", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
assert libc.prctl(22, 2, ctypes.byref(Program(len(rows), code))) == 0  # PR_SET_SECCOMP
os.execv(sys.argv[1], sys.argv[1:])
