"""The bytes Connect workers hand to each other through the group protocol."""

import base64
import struct


class Reader:
    """Reads Kafka's primitive types from bytes; missing fields at the end read as nothing."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, code):
        size = struct.calcsize(code)
        if self.at + size > len(self.data):
            return None
        (value,) = struct.unpack_from(code, self.data, self.at)
        self.at += size
        return value

    def raw(self, length):
        self.at += length
        return self.data[self.at - length : self.at]

    def text(self):
        length = self.number(">h")
        return None if length is None or length < 0 else self.raw(length).decode()

    def items(self):
        """`[(connector, [task])]` as names; task -1 is the connector itself."""
        tasks, connectors = [], []
        for _ in range(max(0, self.number(">i") or 0)):
            name = self.text()
            for _ in range(self.number(">i")):
                number = self.number(">i")
                if number == -1:
                    connectors.append(name)
                else:
                    tasks.append(f"{name}-{number}")
        return tasks + connectors


def assignment(text):
    """A member's part of a `SyncGroup`: leader, assigned, revoked, delay; `None` for an empty one."""
    data = base64.b64decode(text or "")
    if not data:
        return None
    reader = Reader(data)
    version = reader.number(">h")
    error, leader, _url, _offset = reader.number(">h"), reader.text(), reader.text(), reader.number(">q")
    assigned = reader.items()
    revoked, delay = (reader.items(), reader.number(">i")) if version >= 1 else ([], 0)
    return {"version": version, "error": error, "leader": leader, "assigned": assigned, "revoked": revoked, "delay": delay or 0}


def metadata(text):
    """A member's part of a `JoinGroup`: its URL and, from version 1 on, what it owns."""
    reader = Reader(base64.b64decode(text))
    version, url, _offset = reader.number(">h"), reader.text(), reader.number(">q")
    owns = []
    length = reader.number(">i") if version >= 1 else None
    if length and length > 0:
        owns = assignment(base64.b64encode(reader.raw(length)).decode())["assigned"]
    return {"url": url, "owns": owns}
