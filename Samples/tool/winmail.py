"""Writes winmail.dat files: TNEF as in [MS-OXTNEF]."""

import struct

MESSAGE, ATTACHMENT = 1, 2

TNEF_VERSION = 0x00089006
OEM_CODE_PAGE = 0x00069007
MESSAGE_CLASS = 0x00078008
SUBJECT = 0x00018004
BODY = 0x0002800C
MESSAGE_PROPERTIES = 0x00069003
ATTACH_REND_DATA = 0x00069002
ATTACH_TITLE = 0x00018010
ATTACH_DATA = 0x0006800F
ATTACH_MODIFY_DATE = 0x00038013
ATTACH_PROPERTIES = 0x00069005

DISPLAY_NAME = 0x3001
ATTACH_DATA_PROPERTY = 0x3701
ATTACH_EXTENSION = 0x3703
ATTACH_FILENAME = 0x3704
ATTACH_METHOD = 0x3705
ATTACH_LONG_FILENAME = 0x3707
RENDERING_POSITION = 0x370B
ATTACH_MIME_TAG = 0x370E

INTEGER16, INTEGER32, BOOLEAN, OBJECT = 0x0002, 0x0003, 0x000B, 0x000D
STRING8, STRING, TIME, BINARY, MULTIPLE = 0x001E, 0x001F, 0x0040, 0x0102, 0x1000

IID_MESSAGE = bytes.fromhex("07030200 0000 0000 c000 000000000046")
IID_STORAGE = bytes.fromhex("0b000000 0000 0000 c000 000000000046")
FILE_DATA_MAC_BINARY = 0x00000001
PS_PUBLIC_STRINGS = bytes.fromhex("29030200 0000 0000 c000 000000000046")


def attribute(level, identifier, data, *, sum_is_right=True):
    checksum = sum(data) & 0xFFFF if sum_is_right else 0
    return struct.pack("<BII", level, identifier, len(data)) + data + struct.pack("<H", checksum)


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def value(kind, content):
    """One value of a property, in the form of its single-valued type."""
    if kind in (STRING, STRING8, BINARY, OBJECT):
        return struct.pack("<I", len(content)) + padded(content)
    form = {INTEGER16: "<hxx", INTEGER32: "<i", BOOLEAN: "<Hxx", TIME: "<Q"}[kind]
    return struct.pack(form, content)


def prop(kind, identifier, *contents, name=None):
    """A property; `name` is the number or the text of a named one."""
    tag = struct.pack("<HH", kind, identifier)
    if isinstance(name, int):
        tag += PS_PUBLIC_STRINGS + struct.pack("<II", 0, name)
    elif name is not None:
        text = (name + "\0").encode("utf-16-le")
        tag += PS_PUBLIC_STRINGS + struct.pack("<II", 1, len(text)) + padded(text)
    single = kind & ~MULTIPLE
    if kind != single or single in (STRING, STRING8, BINARY, OBJECT):
        tag += struct.pack("<I", len(contents))
    return tag + b"".join(value(single, content) for content in contents)


def text(identifier, content):
    return prop(STRING, identifier, (content + "\0").encode("utf-16-le"))


def properties(*found):
    return struct.pack("<I", len(found)) + b"".join(found)


def file(content, title, *more, in_properties=False, charset="cp1252", sum_is_right=True,
         flags=0):
    """An attachment, with its data in an attribute, or in a property as in some programs."""
    def add(identifier, data):
        return attribute(ATTACHMENT, identifier, data, sum_is_right=sum_is_right)

    listed = [prop(INTEGER32, ATTACH_METHOD, 1), prop(INTEGER32, RENDERING_POSITION, -1), *more]
    made = add(ATTACH_REND_DATA, struct.pack("<HIHHI", 1, 0xFFFFFFFF, 32, 32, flags))
    made += add(ATTACH_MODIFY_DATE, struct.pack("<7H", 2024, 5, 7, 10, 0, 0, 2))
    if title is not None:
        made += add(ATTACH_TITLE, title.encode(charset) + b"\0")
    if in_properties:
        listed.append(prop(BINARY, ATTACH_DATA_PROPERTY, content))
    else:
        made += add(ATTACH_DATA, content)
    return made + add(ATTACH_PROPERTIES, properties(*listed))


def message(stream, subject=None):
    """An attachment that is a message: TNEF in an object."""
    made = attribute(
        ATTACHMENT, ATTACH_REND_DATA, struct.pack("<HIHHI", 2, 0xFFFFFFFF, 32, 32, 0))
    listed = [prop(OBJECT, ATTACH_DATA_PROPERTY, IID_MESSAGE + stream),
              prop(INTEGER32, ATTACH_METHOD, 5)]
    if subject is not None:
        made += attribute(ATTACHMENT, ATTACH_TITLE, subject.encode("cp1252") + b"\0")
        listed.insert(0, text(DISPLAY_NAME, subject))
    return made + attribute(ATTACHMENT, ATTACH_PROPERTIES, properties(*listed))


def stream(*attachments, subject="sample", code_page=1252, sum_is_right=True,
           listed=()):
    """A message with attachments, and more properties."""
    def add(identifier, data):
        return attribute(MESSAGE, identifier, data, sum_is_right=sum_is_right)

    return (struct.pack("<IH", 0x223E9F78, 0x0001)
            + add(TNEF_VERSION, struct.pack("<I", 0x00010000))
            + add(OEM_CODE_PAGE, struct.pack("<II", code_page, 0))
            + add(MESSAGE_CLASS, b"IPM.Microsoft Mail.Note\0")
            + add(SUBJECT, subject.encode() + b"\0")
            + add(BODY, b"Your ticket is attached.\r\n\0")
            + add(MESSAGE_PROPERTIES, properties(
                prop(MULTIPLE | STRING, 0x8001, "a\0".encode("utf-16-le"),
                     "travel\0".encode("utf-16-le"), name="Keywords"),
                text(0x0037, subject), prop(BOOLEAN, 0x0E1B, 1),
                prop(TIME, 0x0E06, 133595496000000000), *listed))
            + b"".join(attachments))
