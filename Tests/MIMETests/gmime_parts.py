"""Prints the parts that GMime finds in messages, in the form of generate_messages.py.

Argument: a file that generate_messages.py wrote. Needs gir1.2-gmime-3.0 and python3-gi.
"""

import sys
import urllib.parse

import gi

gi.require_version("GMime", "3.0")
from gi.repository import GMime  # noqa: E402


def messages(stream):
    """The messages in a file by generate_messages.py."""
    while line := stream.readline():
        words = line.split()
        content = stream.read(int(words[1]))
        stream.read(1)
        if words[0] == b"message":
            yield content


def leaves(part, number):
    """All parts except multiparts, numbered as in RFC 3501, 6.4.5."""
    if isinstance(part, GMime.Multipart):
        for index in range(part.get_count()):
            yield from leaves(part.get_part(index), f"{number}.{index + 1}".lstrip("."))
    elif isinstance(part, GMime.MessagePart):
        inner = part.get_message().get_mime_part()
        is_multipart = isinstance(inner, GMime.Multipart)
        yield from leaves(inner, number if is_multipart else f"{number}.1".lstrip("."))
    elif part is not None:
        yield number or "1", part


def content(part):
    stream = GMime.StreamMem.new()
    wrapper = part.get_content()
    if wrapper is not None:
        wrapper.write_to_stream(stream)
        stream.flush()
    return stream.get_byte_array() or b""


def name(part):
    """The name; empty if there is none, or if GMime returns bytes that are not text."""
    try:
        return part.get_filename() or ""
    except UnicodeDecodeError:
        return ""


def main():
    GMime.init()
    out = sys.stdout.buffer
    with open(sys.argv[1], "rb") as stream:
        for data in messages(stream):
            parser = GMime.Parser.new_with_stream(GMime.StreamMem.new_with_buffer(data))
            message = parser.construct_message(None)
            out.write(b"message 0\n\n")
            for number, part in leaves(message.get_mime_part(), ""):
                data = content(part)
                called = urllib.parse.quote(name(part))
                out.write(b"part %d %s %s\n" % (len(data), number.encode(), called.encode()))
                out.write(data)
                out.write(b"\n")


main()
