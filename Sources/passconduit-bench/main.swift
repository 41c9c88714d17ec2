import ArgumentParser

Bench.main()
