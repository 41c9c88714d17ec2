import PassCommands

await Passconduit.main()
