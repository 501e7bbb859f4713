"""The way from another terminal to a running cluster: a socket in its directory."""

import json
import os
import socket
import threading

from .jars import BUILD

NAME = "socket"


class Server:
    """Answers lines; each connection is one line and its answer."""

    def __init__(self, directory, answer):
        self.answer = answer
        self.socket = socket.socket(socket.AF_UNIX)
        within(directory, lambda: self.socket.bind(NAME))
        self.socket.listen(8)

    def __enter__(self):
        threading.Thread(target=self.run, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def run(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            line = stream.readline().strip()
            if line:
                ok, text = self.answer(line)
                stream.write(json.dumps({"ok": ok, "text": text}) + "\n")


def within(directory, act):
    """Does something in a directory: the path of a socket may be 107 bytes long, and a checkout may lie deep."""
    before = os.getcwd()
    os.chdir(directory)
    try:
        return act()
    finally:
        os.chdir(before)


def ask(directory, line):
    """The answer of the cluster in that directory; nothing if there is none any more."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            within(directory, lambda: connection.connect(NAME))
            with connection.makefile("rw", encoding="utf-8") as stream:
                stream.write(line + "\n")
                stream.flush()
                text = stream.readline()
                return json.loads(text) if text else None
    except OSError:
        return None


def running():
    """The directories of the clusters that run, newest first."""
    found = sorted(BUILD.glob(f"lab-*/{NAME}"), key=lambda each: each.stat().st_mtime, reverse=True)
    return [each.parent for each in found if ask(each.parent, "about")]
