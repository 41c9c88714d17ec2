import PassCommands

Passconduit.main()
