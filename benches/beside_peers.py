#!/usr/bin/env python3
"""Measures tumble beside other DEM programs, in the same run, on their scenes: spheres and clumps in a box, spheres in a hopper, a series of sizes.

  benches/beside_peers.py PEERS [--only REGEX] [--repeats N] [--limit SECONDS]

PEERS is a folder with the peers' driver `run.py`, scenes and start states; it is copied below target/ and the program `peer` joins it
as one more engine. Peers that are not installed are left out; the driver's own `run.py check` says what to install.
"""
import argparse
import importlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", help="folder with the peers' run.py")
    parser.add_argument("--only", default="S1", help="regular expression on scene/engine/cores")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600)
    arguments = parser.parse_args()

    subprocess.run(["cargo", "build", "--release", "-p", "tumble-benches"], cwd=ROOT, check=True)
    peer = os.path.join(ROOT, "target", "release", "peer")
    folder = os.path.join(ROOT, "target", "peers")
    shutil.copytree(arguments.peers, folder, dirs_exist_ok=True)
    for name, folders, files in os.walk(folder):
        for entry in folders + files:
            path = os.path.join(name, entry)
            os.chmod(path, os.stat(path).st_mode | 0o200)

    sys.path.insert(0, folder)
    driver = importlib.import_module("run")
    command, scenes = driver.command, driver.scenes

    def command_with_tumble(engine, cores, scene):
        if engine == "tumble":
            numbers = [scene["L"], scene["mol"], scene["warm"], scene["steps"], cores]
            stl = os.path.join(folder, "work", "hopper.stl")
            return [peer, scene["data"], scene["geom"]] + ["%.10g" % number for number in numbers] + [stl]
        return command(engine, cores, scene)

    def scenes_with_tumble():
        for scene in scenes():
            yield dict(scene, eng=["tumble"] + scene["eng"])

    driver.ENG["tumble"] = True
    driver.command, driver.scenes = command_with_tumble, scenes_with_tumble
    results = os.path.join(folder, "results.jsonl")
    if os.path.exists(results):
        os.remove(results)
    driver.run(argparse.Namespace(only=arguments.only, repeats=arguments.repeats, quick=False, limit=arguments.limit))
    driver.table()


if __name__ == "__main__":
    main()
