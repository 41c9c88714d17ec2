"""Writes a mailbox in which the name of each pass is in a different character set of the C library, and
prints the names as JSON.

charsets.py PASS MAILBOX
"""

import base64
import ctypes
import json
import re
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
libc.iconv_close.argtypes = [ctypes.c_void_p]
FAILED = ctypes.c_void_p(-1).value

# Almost every set has one of these.
TEXTS = [
    "fête", "поезд", "τρένο", "列車", "기차", "火车", "רכבת", "قطار", "รถไฟ", "ţară", "łódź", "train",
    "ПОЕЗД", "ΤΡΕΝΟ", "⠞⠗⠁⠊⠝",
]
# Some sets have no Latin letters.
NAMES = [f"{text}.pkpass" for text in TEXTS] + TEXTS


def convert(data, source, target):
    """Encodes the text; None if the set cannot express it."""
    converter = libc.iconv_open(target.encode(), source.encode())
    if converter == FAILED:
        return None
    input, output = ctypes.create_string_buffer(data), ctypes.create_string_buffer(1024)
    pointers = ctypes.c_void_p(ctypes.addressof(input)), ctypes.c_void_p(ctypes.addressof(output))
    counts = ctypes.c_size_t(len(data)), ctypes.c_size_t(len(output))
    references = [
        ctypes.byref(value) for value in (pointers[0], counts[0], pointers[1], counts[1])]
    answer = libc.iconv(converter, *references)
    # The sequence that returns to the initial shift state.
    libc.iconv(converter, None, None, *references[2:])
    libc.iconv_close(converter)
    return None if answer != 0 else output.raw[:len(output) - counts[1].value]


def encoded(charset):
    for name in NAMES:
        data = convert(name.encode(), "UTF-8", charset)
        if data is not None and convert(data, charset, "UTF-8") == name.encode():
            return name, data
    return None, None


names = []
body = base64.encodebytes(open(sys.argv[1], "rb").read()).decode()
with open(sys.argv[2], "w") as mailbox:
    listed = subprocess.run(["iconv", "-l"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for charset in dict.fromkeys(listed.split()):
        charset = charset.rstrip("/,")
        # A slash begins iconv's options; the other characters do not occur in the names that mail uses.
        if not re.fullmatch("[A-Za-z0-9_-]+", charset):
            continue
        name, data = encoded(charset)
        if name is None:
            continue
        names.append([charset, name])
        octets = "".join(f"%{byte:02X}" for byte in data)
        mailbox.write(f"""From ada@example.org Wed May  1 10:00:00 2024
From: ada@example.org
Subject: {charset}
MIME-Version: 1.0
Content-Type: application/vnd.apple.pkpass
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename*={charset}''{octets}

{body}
""")
print(json.dumps(names))
