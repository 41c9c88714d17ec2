"""Names encoded twice, encoded in part, in the wrong place, and in rare character sets."""

import base64

from .mail_names import KOREAN, OCTETS, PORTUGUESE, encoded_word, percent
from .messages import found, mixed, part

JAPANESE = "アあ券.pkpass"


def make(post, passes):
    def put(slug, header, name):
        slug = f"name-{slug}"
        post.put(slug, mixed(slug, part(header, passes.small)),
                 found("2", passes.small, name, "extension content"))

    def filename(slug, value, name=KOREAN):
        put(slug, OCTETS + b"Content-Disposition: attachment; filename" + value + b"\n", name)

    words(filename)
    charsets(filename)
    extended(filename)
    whole_fields(put)


def words(filename):
    """RFC 2047, 5 requires whole characters, an end to each word, and none of them in quotes."""
    digits = base64.b64encode(KOREAN.encode())
    first, rest = digits[:6], digits[6:]
    filename("rfc2047-cut-in-group", b'="' + word(first) + b"\n " + word(rest) + b'"')
    filename("rfc2047-cut-in-character", b'="' + word(base64.b64encode(KOREAN.encode()[:4]))
             + b"\n " + word(base64.b64encode(KOREAN.encode()[4:])) + b'"')
    filename("rfc2047-cut-before-extension", b'="' + encoded_word(KOREAN[:-4]) + b'pass"')
    filename("rfc2047-not-finished", b'="=?UTF-8?B?' + digits + b'"')
    filename("rfc2047-finished-by-half", b'="=?UTF-8?B?' + digits + b'?"')
    filename("rfc2047-space-within", b'="=?UTF-8?B?' + first + b" " + rest + b'?="')
    filename("rfc2047-folded-within", b'="=?UTF-8?B?' + first + b"\n\t" + rest + b'?="')
    filename("rfc2047-folded-within-no-white-space", b'="=?UTF-8?B?' + first + b"\n" + rest
             + b'?="')
    filename("rfc2047-glued", b'="' + encoded_word(KOREAN[:2]) + encoded_word(KOREAN[2:]) + b'"')
    filename("rfc2047-glued-to-text", b'="my' + encoded_word(KOREAN) + b'"', "my" + KOREAN)
    filename("rfc2047-no-padding", b'="' + word(base64.b64encode(b"ticket.pkpass").rstrip(b"="))
             + b'"', "ticket.pkpass")
    long = "the name of this ticket has more than seventy-five characters in one word.pkpass"
    filename("rfc2047-long", b'="' + word(base64.b64encode(long.encode())) + b'"', long)
    filename("rfc2047-twice", b'="' + encoded_word(encoded_word(KOREAN).decode()) + b'"')
    filename("rfc2047-soft-line-break", b'="=?utf-8?Q?cart=C3=A3o=\n _de_embarque.pkpass?="',
             PORTUGUESE)
    filename("rfc2047-unquoted-semicolon", b"==?utf-8?Q?a;b.pkpass?=", "a;b.pkpass")
    filename("rfc2047-two-charsets", b'="=?ISO-8859-1?Q?cart=E3o?= =?UTF-8?Q?_de_embarque'
             b'.pkpass?="', PORTUGUESE)


def charsets(filename):
    def named(slug, charset, name, codec=None):
        text = base64.b64encode(name.encode(codec or charset))
        filename(f"charset-{slug}", b'="' + word(text, charset.encode()) + b'"', name)

    named("unknown", "x-never-heard-of", PORTUGUESE, "utf-8")
    named("none", "", KOREAN, "utf-8")
    named("utf-7", "UTF-7", KOREAN)
    named("utf-16", "UTF-16", KOREAN)
    named("utf-16-no-mark", "UTF-16", KOREAN, "utf-16-be")
    named("utf-16-little-endian-no-mark", "UTF-16", KOREAN, "utf-16-le")
    named("ucs-2", "UCS-2", KOREAN, "utf-16-be")
    # Windows uses these names for larger sets.
    named("korean", "ks_c_5601-1987", "탑승권 똠.pkpass", "cp949")
    named("chinese", "gb2312", "登机牌€.pkpass", "gb18030")
    named("japanese", "Shift_JIS", "搭乗券①.pkpass", "cp932")
    named("iso-2022-jp", "ISO-2022-JP", JAPANESE)
    named("latin1-of-windows", "ISO-8859-1", "ticket “one” €.pkpass", "cp1252")
    named("macintosh", "x-mac-roman", PORTUGUESE, "mac-roman")
    named("cyrillic", "windows1251", "билет.pkpass", "cp1251")
    # Two-byte characters with bytes that look like quotes and semicolons.
    filename("charset-raw-iso-2022-jp", b'="' + JAPANESE.encode("iso-2022-jp") + b'"', JAPANESE)


def extended(filename):
    """RFC 2231, 4 as misread by scripts."""
    korean = percent(KOREAN.encode())
    cut = 21
    filename("rfc2231-quotes-around-value", b"*=UTF-8''\"" + korean + b'"')
    filename("rfc2231-percent-twice", b"*=UTF-8''" + korean.replace(b"%", b"%25"))
    filename("rfc2231-one-apostrophe", b"*=UTF-8'" + korean)
    filename("rfc2231-no-apostrophe", b"*=" + korean)
    filename("rfc2231-quotation-marks", b'*=UTF-8""' + korean)
    filename("rfc2231-space-before-asterisk", b" *=UTF-8''" + korean)
    filename("rfc2231-raw", b"*=UTF-8''" + KOREAN.encode())
    filename("rfc2231-spaces", b"*=UTF-8''my ticket.pkpass", "my ticket.pkpass")
    filename("rfc2231-encoded-word", b"*=UTF-8''" + encoded_word(KOREAN))
    filename("rfc2231-no-asterisk", b"=UTF-8''" + korean)
    filename("rfc2231-percent-only", b'="ticket%2Epkpass"', "ticket.pkpass")
    filename("rfc2231-sections-from-one",
             b"*1*=UTF-8''" + korean[:cut] + b";\n filename*2*=" + korean[cut:])
    filename("rfc2231-sections-with-gap",
             b"*0*=UTF-8''" + korean[:cut] + b";\n filename*2*=" + korean[cut:])
    filename("rfc2231-sections-with-zeros",
             b"*00*=UTF-8''" + korean[:cut] + b";\n filename*01*=" + korean[cut:])
    filename("rfc2231-sections-no-asterisk",
             b"*0=UTF-8''" + korean[:cut] + b";\n filename*1=" + korean[cut:])
    filename("rfc2231-sections-first-asterisk-only",
             b"*0*=UTF-8''" + korean[:cut] + b";\n filename*1=" + korean[cut:])
    filename("rfc2231-sections-quoted",
             b"*0*=\"UTF-8''" + korean[:cut] + b'";\n filename*1*="' + korean[cut:] + b'"')
    filename("rfc2231-sections-no-semicolon",
             b"*0*=UTF-8''" + korean[:cut] + b"\n filename*1*=" + korean[cut:])
    filename("rfc2231-sections-comma",
             b"*0*=UTF-8''" + korean[:cut] + b",\n filename*1*=" + korean[cut:])
    filename("rfc2231-sections-of-encoded-word",
             b'*0="' + encoded_word(KOREAN)[:20] + b'";\n filename*1="'
             + encoded_word(KOREAN)[20:] + b'"')


def whole_fields(put):
    """Mailers that encode every field."""
    value = b'application/octet-stream; name="ticket.pkpass"'
    put("rfc2047-whole-type", b"Content-Type: " + word(base64.b64encode(value)) + b"\n",
        "ticket.pkpass")
    put("rfc2047-whole-disposition", OCTETS + b"Content-Disposition: "
        b'=?utf-8?Q?attachment;_filename=3D"ticket.pkpass"?=\n', "ticket.pkpass")
    put("rfc2047-whole-parameter", b"Content-Type: application/octet-stream; "
        b"=?utf-8?Q?name=3D=22ticket.pkpass=22?=\n", "ticket.pkpass")


def word(digits, charset=b"UTF-8"):
    return b"=?" + charset + b"?B?" + digits + b"?="
