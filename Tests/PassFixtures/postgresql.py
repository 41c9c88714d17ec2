"""Runs a PostgreSQL server for the tests, on a socket in a temporary folder, until standard input ends.

Usage: postgresql.py FOLDER, where FOLDER contains the programs of PostgreSQL. PostgreSQL refuses to run as root; if
root runs this script, it runs PostgreSQL as nobody. Each line of standard input is a command, answered by a line: `schema`
creates a schema and answers with its address, `stop` and `start` stop and start the server, and `sql STATEMENT` runs a
statement and answers with the rows.
"""

import os, shutil, subprocess, sys, tempfile, urllib.parse

programs = sys.argv[1]
folder = tempfile.mkdtemp(prefix="postgresql")
identity = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
environment = {"PATH": programs + ":/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"}
if identity:
    shutil.chown(folder, "nobody", "nogroup")


def run(program, *arguments):
    finished = subprocess.run([os.path.join(programs, program), *arguments], cwd="/", env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, **identity)
    if finished.returncode:
        raise RuntimeError(finished.stdout + finished.stderr)
    return finished.stdout.strip()


def control(*arguments):
    # Do not capture the output: the server inherits the stream and keeps it open.
    subprocess.run([os.path.join(programs, "pg_ctl"), "-D", folder + "/data", "-w", *arguments], cwd="/",
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=True, **identity)


def start():
    # The tests do not need durability, and are faster without fsync.
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    control("-l", folder + "/log", "-o", options, "start")


def sql(statement):
    return run("psql", "-h", folder, "-U", "tests", "-XAtc", statement, "postgres")


try:
    run("initdb", "-A", "trust", "-U", "tests", "--no-sync", "--no-locale", "-E", "UTF8", "-D", folder + "/data")
    start()
    schemas = 0
    print("ready", flush=True)
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "schema":
            schemas += 1
            sql(f"CREATE SCHEMA test{schemas}")
            options = urllib.parse.quote(f"-csearch_path=test{schemas}", safe="")
            host = urllib.parse.quote(folder, safe="")
            print(f"postgresql://tests@/postgres?host={host}&options={options}", flush=True)
        elif command == "stop":
            control("-m", "immediate", "stop")
            print("stopped", flush=True)
        elif command == "start":
            start()
            print("started", flush=True)
        elif command == "sql":
            print(sql(rest).replace("\n", ";"), flush=True)
finally:
    try:
        control("-m", "immediate", "stop")
    except subprocess.CalledProcessError:
        pass
    shutil.rmtree(folder, ignore_errors=True)
