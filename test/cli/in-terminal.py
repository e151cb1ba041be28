"""Runs a command in a 120 by 40 pseudo-terminal and forwards its output. A line on stdin presses Ctrl-C."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        if not os.read(0, 1024):
            sources = [terminal]
        os.write(terminal, b"\x03")
    if terminal in ready:
        try:
            drawn = os.read(terminal, 65536)
        except OSError:
            break
        if not drawn:
            break
        os.write(1, drawn)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
