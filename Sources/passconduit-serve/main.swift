import ServiceCommands

await PassconduitServe.main()
