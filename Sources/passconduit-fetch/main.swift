import PassFetch
