"""Draw pictures in a process of its own with low priority: drawing blocks every thread of the process that does it."""

import os
import struct
import subprocess
import sys
import threading
from contextlib import suppress

from marketpost.pictures.png import png

REQUEST, ANSWER = struct.Struct(">II"), struct.Struct(">I")
"""A request is the width and the length of the SVG that follows; a response is the length of the PNG that follows."""
NICE = 10
"""How far the process stands back for others that need the CPU."""


class DrawingProcess:
    """Draws one picture at a time in a child process, which is started again after it ended.

    One at a time bounds the memory, however many threads ask.
    """

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def draw(self, svg: str, width: int) -> bytes:
        """Draw an SVG at this width as PNG.

        Fault: a caller may be interrupted between its request and the response. The process is then killed, because the next caller would
        read the response to this request.
        """
        with self._one_at_a_time:
            process = self._process = self._process or _start()
            try:
                return _ask(process, svg.encode(), width)
            except BaseException:  # what the process answers now would be the answer to another request
                self.close()
                raise

    def close(self) -> None:
        """Kill the process; the next picture starts another."""
        if process := self._process:
            self._process = None
            with suppress(BrokenPipeError), process:
                process.kill()


def _start() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "marketpost.pictures.drawing_process"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _ask(process: subprocess.Popen[bytes], svg: bytes, width: int) -> bytes:
    """Send one request and read its response; OSError if the process dies while it draws."""
    asked, answers = process.stdin, process.stdout
    if asked is None or answers is None:
        raise OSError("the drawing process has no pipes")
    asked.write(REQUEST.pack(width, len(svg)) + svg)
    asked.flush()
    head = answers.read(ANSWER.size)
    if len(head) < ANSWER.size:
        raise OSError("the picture could not be drawn")
    return answers.read(ANSWER.unpack(head)[0])


def main() -> None:
    """Draw the pictures requested on standard input until it ends."""
    os.nice(NICE)
    while head := sys.stdin.buffer.read(REQUEST.size):
        width, length = REQUEST.unpack(head)
        drawn = png(sys.stdin.buffer.read(length).decode(), width)
        sys.stdout.buffer.write(ANSWER.pack(len(drawn)) + drawn)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
