def make(tree, authority, found):
    pass
