"""One mailbox for each form in which mail is stored on disk."""

from . import (exports, mail_sources, mailbox_apple, mailbox_compressed, mailbox_folders,
               mailbox_forms, mailbox_mbox, openpgp)


def make(tree, passes):
    for forms in (mailbox_mbox, mailbox_folders, mailbox_forms, mailbox_apple, mailbox_compressed,
                  exports, openpgp):
        forms.make(tree, passes)
    mail_sources.make_mailboxes(tree, passes)
