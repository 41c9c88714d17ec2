def make(post, passes):
    pass
