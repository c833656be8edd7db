"""A mail server that takes everything, as fast as can be: `python sink.py PORT`."""

import socket
import sys
import threading
from io import BufferedReader

ANSWERS = {b"EHLO": b"250-sink\r\n250 SIZE\r\n", b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}


def serve(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)) as door:
        while True:
            connection, _ = door.accept()
            threading.Thread(target=talk, args=(connection,), daemon=True).start()


def talk(connection: socket.socket) -> None:
    """Line by line, but a mail in large pieces until its last dot."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as lines:
        connection.sendall(b"220 sink\r\n")
        for line in lines:
            verb = line[:4].upper()
            connection.sendall(ANSWERS.get(verb, b"250 OK\r\n"))
            if verb == b"DATA":
                skip(lines)
                connection.sendall(b"250 taken\r\n")


def skip(lines: BufferedReader) -> None:
    """To the end of a mail, a large piece at a time: its sender waits for us then, so nothing comes after the dot."""
    ending = b""
    while not ending.endswith(b"\r\n.\r\n"):
        ending = ending[-5:] + lines.read1(1 << 20)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
