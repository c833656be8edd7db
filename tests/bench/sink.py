"""A mail server that takes everything, as fast as can be: `python sink.py PORT`."""

import socket
import sys
import threading

ANSWERS = {b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250 SIZE\r\n", b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}


def serve(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)) as door:
        while True:
            connection, _ = door.accept()
            threading.Thread(target=talk, args=(connection,), daemon=True).start()


def talk(connection: socket.socket) -> None:
    """Commands that come together are answered together."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        connection.sendall(b"220 sink\r\n")
        heard = b""
        while piece := connection.recv(1 << 16):
            *commands, heard = (heard + piece).split(b"\r\n")
            verbs = [command[:4].upper() for command in commands]
            connection.sendall(b"".join(ANSWERS.get(verb, b"250 OK\r\n") for verb in verbs))
            if verbs[-1:] == [b"DATA"]:
                skip(connection)
                connection.sendall(b"250 taken\r\n")


def skip(connection: socket.socket) -> None:
    """To the end of a mail, a large piece at a time: its sender waits for us then, so nothing comes after the dot."""
    ending = b""
    while not ending.endswith(b"\r\n.\r\n"):
        ending = ending[-5:] + connection.recv(1 << 20)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
