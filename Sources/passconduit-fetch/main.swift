import PassFetch

Fetcher.main()
