"""Copies DER from standard input to standard output as BER: constructed values without lengths, and octet strings
in pieces of 1,000 octets, as keychains write files in PKCS #12."""

import sys


def indefinite(der):
    result, place = b"", 0
    while place < len(der):
        start, tag, length = place, der[place], der[place + 1]
        place += 2
        if length & 0x80:
            count = length & 0x7f
            length = int.from_bytes(der[place:place + count], "big")
            place += count
        contents = der[place:place + length]
        place += length
        if tag & 0x20:
            result += bytes([tag, 0x80]) + indefinite(contents) + b"\0\0"
        elif tag == 4 and length > 1000:
            pieces = (contents[index:index + 1000] for index in range(0, length, 1000))
            encoded = (b"\x04\x82" + len(piece).to_bytes(2, "big") + piece for piece in pieces)
            result += b"\x24\x80" + b"".join(encoded) + b"\0\0"
        else:
            result += der[start:place]
    return result


sys.stdout.buffer.write(indefinite(sys.stdin.buffer.read()))
