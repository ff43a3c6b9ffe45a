#!/usr/bin/env python3
"""Runs every full-size test, which `cargo test` leaves out, and prints a table of them.

benches/full_size.py [WORD]    all of them, or those whose name has this word in it

The table has a row per test: its crate and name, whether it passed, how long it took and the last line it printed. A test
runs alone, so times can be compared. What a test that failed said follows the table, and the exit code is 1.
"""

import json
import os
import subprocess
import sys
import time


def executables():
    """Every test program of the workspace: the folder it runs in, its name, its path."""
    build = ["cargo", "test", "--workspace", "--no-run", "--message-format=json"]
    for line in subprocess.run(build, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["profile"]["test"]:
            folder = os.path.dirname(message["manifest_path"])
            yield folder, f"{os.path.basename(folder)} {message['target']['name']}", message["executable"]


def full_size_tests(folder, program):
    listed = subprocess.run([program, "--ignored", "--list", "--format", "terse"], cwd=folder, capture_output=True, text=True)
    return [line.removesuffix(": test") for line in listed.stdout.splitlines() if line.endswith(": test")]


def last_line(text):
    """What the test itself printed last."""
    noise = ("test ", "running ", "test result", "successes:", "failures:", "----")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(noise)]
    return lines[-1][:100].replace("|", "/") if lines else ""


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    tests = [
        (folder, name, program, test)
        for folder, name, program in executables()
        for test in full_size_tests(folder, program)
        if word in f"{name} {test}"
    ]
    if not tests:
        sys.exit(f"no full-size test has {word!r} in its name")
    print("| test | result | seconds | last line |")
    print("| --- | --- | --- | --- |")
    failures = []
    for folder, name, program, test in tests:
        begin = time.monotonic()
        ran = subprocess.run(
            [program, "--ignored", "--exact", test, "--nocapture"], cwd=folder, capture_output=True, text=True
        )
        seconds = time.monotonic() - begin
        passed = ran.returncode == 0 and "1 passed" in ran.stdout
        print(f"| {name} `{test}` | {'passed' if passed else '**failed**'} | {seconds:.1f} | {last_line(ran.stdout)} |", flush=True)
        if not passed:
            failures.append(f"\n{name} {test}:\n{ran.stdout}{ran.stderr}")
    print("".join(failures), end="")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
