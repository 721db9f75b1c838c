"""Binds a Unix datagram socket at argv[1] (a leading @ is the abstract namespace) and prints each datagram as a JSON string."""
import json
import socket
import sys

name = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind("\0" + name[1:] if name.startswith("@") else name)
print("ready", flush=True)
while True:
    print(json.dumps(receiver.recv(4096).decode()), flush=True)
