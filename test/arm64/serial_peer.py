"""A serial line: prints the name of its terminal and sends back in capitals what arrives there."""
import os
import pty
import tty

ours, theirs = pty.openpty()
tty.setraw(ours)
tty.setraw(theirs)
print(os.ttyname(theirs), flush=True)
while True:
    os.write(ours, os.read(ours, 64).upper())
