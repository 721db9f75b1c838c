"""A Modbus server of another author (pymodbus) on a TCP port that a test steers over stdin: PORT tcp|rtu, the framing.

Says `port N` once it listens, then answers each line with `ok`, or `error REASON`:
  set UNIT coil|discrete_input|holding|input ADDRESS VALUE...   addresses as sent, other addresses stay illegal
  get UNIT coil|discrete_input|holding|input ADDRESS COUNT      `ok VALUE...`
  delay MS...                                                   answer after these delays in turn, 0 for at once
  stop
A unit that nothing was set for never answers. Ends with its stdin.
"""
import asyncio
import itertools
import sys
import threading
from importlib.util import find_spec
from unittest.mock import MagicMock

# pymodbus imports its serial side even for TCP, while Debian only recommends the packages behind it.
for name in ("serial", "serial_asyncio"):
    if find_spec(name) is None:
        sys.modules[name] = MagicMock()

from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.framer.rtu_framer import ModbusRtuFramer
from pymodbus.framer.socket_framer import ModbusSocketFramer
from pymodbus.server.async_io import ModbusConnectedRequestHandler, ModbusTcpServer

TABLES = {"coil": 1, "discrete_input": 2, "holding": 3, "input": 4}
delays = itertools.cycle([0])


class DelayedHandler(ModbusConnectedRequestHandler):
    def _send_(self, data):
        delay_ms = next(delays)
        if delay_ms == 0:
            super()._send_(data)
        else:
            asyncio.get_running_loop().call_later(delay_ms / 1000, super()._send_, data)


class OpenContext(ModbusServerContext):
    """Takes requests for any unit: the list is read before a request arrives, and units may be set meanwhile."""

    def slaves(self):
        return [0, *super().slaves()]


def new_unit():
    blocks = {name: ModbusSparseDataBlock({}) for name in ("di", "co", "hr", "ir")}
    return ModbusSlaveContext(zero_mode=True, **blocks)


def obey(context, line):
    global delays
    command, *words = line.split()
    if command == "set":
        unit = int(words[0])
        if unit not in context:
            context[unit] = new_unit()
        context[unit].setValues(TABLES[words[1]], int(words[2]), [int(word) for word in words[3:]])
    elif command == "get":
        table, address, count = TABLES[words[1]], int(words[2]), int(words[3])
        return [int(value) for value in context[int(words[0])].getValues(table, address, count)]
    elif command == "delay":
        delays = itertools.cycle([int(word) for word in words])
    else:
        raise ValueError(f"unknown command {command}")
    return []


async def main():
    loop = asyncio.get_running_loop()
    context = OpenContext(slaves={}, single=False)
    server = ModbusTcpServer(
        context,
        framer=ModbusRtuFramer if sys.argv[2] == "rtu" else ModbusSocketFramer,
        address=("127.0.0.1", int(sys.argv[1])),
        handler=DelayedHandler,
        allow_reuse_address=True,
        ignore_missing_slaves=True,
    )
    ended = asyncio.Event()

    def on_line(line):
        if line == "stop":
            ended.set()
            return
        try:
            print("ok", *obey(context, line), flush=True)
        except Exception as error:
            print(f"error {error}", flush=True)

    def listen():
        for line in sys.stdin:
            loop.call_soon_threadsafe(on_line, line.strip())
        loop.call_soon_threadsafe(ended.set)

    serving = asyncio.create_task(server.serve_forever())
    await server.serving
    print(f"port {server.server.sockets[0].getsockname()[1]}", flush=True)
    threading.Thread(target=listen, daemon=True).start()
    await ended.wait()
    serving.cancel()


asyncio.run(main())
