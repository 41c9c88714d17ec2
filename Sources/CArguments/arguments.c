// Swift's runtime finds the arguments of the program with the help of /proc; without it, the program
// would have none. The C library passes them to constructors as well.

void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}
