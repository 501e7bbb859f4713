"""Asks something of a running cluster of tests/lab/up, from another terminal.

  tests/lab/do stop w2
  tests/lab/do --list          the clusters that run
  tests/lab/do help            what can be asked

Without --lab: of the one started last. Exit codes: 0 done, 1 refused, 2 there is no such cluster.
"""

import argparse
import json
import sys

from . import remote


def main():
    parser = argparse.ArgumentParser(prog="tests/lab/do", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the clusters that run, newest first")
    parser.add_argument("--lab", metavar="NAME", help="which cluster, as --list names it")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    options = parser.parse_args()
    clusters = remote.running()
    if options.list:
        for each in clusters:
            about = json.loads(remote.ask(each, "about")["text"])
            print(f"{each.name}  Kafka {about['kafka']}  {about['bootstrap']}  {' '.join(worker['url'] for worker in about['workers'])}")
        return 0
    if options.lab:
        clusters = [each for each in clusters if each.name == options.lab]
    if not clusters:
        print("tests/lab/do: no such cluster runs; start one with tests/lab/up" if options.lab else "tests/lab/do: no cluster runs; start one with tests/lab/up", file=sys.stderr)
        return 2
    if not options.command:
        parser.print_usage(sys.stderr)
        return 2
    answer = remote.ask(clusters[0], " ".join(options.command))
    if not answer:
        print("tests/lab/do: the cluster ended meanwhile", file=sys.stderr)
        return 2
    print(answer["text"], file=sys.stdout if answer["ok"] else sys.stderr)
    return 0 if answer["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
