print("passconduit")
