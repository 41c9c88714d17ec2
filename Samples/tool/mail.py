"""One mail for each form in which a pass hides in a message."""

from . import (
    mail_boundaries, mail_declared, mail_encodings, mail_names, mail_nesting, mail_others,
    mail_packed, mail_smime)
from .messages import Post


def make(tree, passes):
    post = Post(tree, "mail")
    for forms in (mail_declared, mail_names, mail_encodings, mail_boundaries, mail_nesting,
                  mail_others, mail_packed, mail_smime):
        forms.make(post, passes)
