"""Copies DER from standard input to standard output, with one number in place of another everywhere.

Arguments: the old and the new number.
"""

import sys

OLD, NEW = (int(argument) for argument in sys.argv[1:])


def integer(number):
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def encoded(tag, contents):
    count = len(contents)
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([tag]) + (bytes([count]) if count < 0x80 else bytes([0x80 | len(digits)]) + digits) + contents


def changed(der):
    """Raises an error unless all of it is DER."""
    result, place = b"", 0
    while place < len(der):
        tag, length = der[place], der[place + 1]
        place += 2
        if length & 0x80:
            count = length & 0x7f
            length = int.from_bytes(der[place:place + count], "big")
            place += count
        contents = der[place:place + length]
        if len(contents) < length:
            raise ValueError
        place += length
        if tag & 0x20:
            contents = changed(contents)
        elif tag == 4 and contents[:1] == b"\x30":
            # An OCTET STRING may contain DER.
            try:
                contents = changed(contents)
            except (ValueError, IndexError):
                pass
        elif tag == 2 and contents == integer(OLD):
            contents = integer(NEW)
        result += encoded(tag, contents)
    return result


sys.stdout.buffer.write(changed(sys.stdin.buffer.read()))
