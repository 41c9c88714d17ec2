"""One mail for each form in which a message contains a pass, or a link to one."""

from . import (
    mail_archives,
    mail_base64,
    mail_boundaries,
    mail_data,
    mail_declared,
    mail_embedded,
    mail_elsewhere,
    mail_encodings,
    mail_headers,
    mail_links,
    mail_mac,
    mail_names,
    mail_names_encoded,
    mail_nesting,
    mail_others,
    mail_outlook,
    mail_packed,
    mail_smime,
    mail_sources,
    mail_tnef,
    mail_unread,
)
from .messages import Post

FORMS = (
    mail_archives,
    mail_declared,
    mail_names,
    mail_names_encoded,
    mail_headers,
    mail_encodings,
    mail_base64,
    mail_embedded,
    mail_data,
    mail_boundaries,
    mail_nesting,
    mail_others,
    mail_outlook,
    mail_packed,
    mail_smime,
    mail_sources,
    mail_tnef,
    mail_mac,
    mail_elsewhere,
    mail_unread,
)


def make(tree, passes):
    post = Post(tree, "mail")
    for form in FORMS:
        form.make(post, passes)
    mail_links.make(Post(tree, "links"), passes)
