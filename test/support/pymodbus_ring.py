"""A PLC with an event log in a ring of registers, by pymodbus: a program of another author, as far as the protocol goes.

Arguments: PORT KIND CAPACITY; KIND is slot or records. Unit 1 holds the head in holding register 0, the PLC's clock (Unix
seconds, two registers) in 2 and the ring from 10: 8 registers a record, which are the record's number (two registers),
Unix seconds (two), a code, a value, and the number again. At a rate a record is written in three steps, between which
requests are answered, and then the head.
Says `port N`, then answers lines: `write N` with ok once N are written at once, `rate N` with ok and writes N a second from then
on, 0 to stop, `restart` with ok (head 0, ring cleared), `count` with the number of records begun. Ends with its stdin.
"""
import asyncio
import sys
import threading
import time
from importlib.util import find_spec
from unittest.mock import MagicMock

# pymodbus imports its serial side even for TCP, while Debian only recommends the packages behind it.
for name in ("serial", "serial_asyncio"):
    if find_spec(name) is None:
        sys.modules[name] = MagicMock()

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer

HOLDING = 3
CLOCK = 2
RING = 10
RECORD = 8
TICK_S = 0.005

port, kind, capacity = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
unit = ModbusSlaveContext(zero_mode=True, hr=ModbusSequentialDataBlock(0, [0] * (RING + RECORD * capacity)))
number = 0
position = 0
rate = 0


def put(address, *words):
    unit.setValues(HOLDING, address, list(words))


def two(value):
    return (value >> 16 & 0xFFFF, value & 0xFFFF)


def record_steps():
    global number, position
    number += 1
    at = RING + position % capacity * RECORD
    put(at, *two(number))
    yield
    put(at + 2, *two(int(time.time())), number % 5, number % 1000)
    yield
    put(at + 6, *two(number))
    yield
    position += 1
    put(0, position % capacity if kind == "slot" else position & 0xFFFF)


async def write_at_rate(writing):
    due = 0.0
    last = time.monotonic()
    while True:
        await asyncio.sleep(TICK_S)
        now = time.monotonic()
        due = due + (now - last) * rate if rate > 0 else 0.0
        last = now
        put(CLOCK, *two(int(time.time())))
        async with writing:
            while due >= 1:
                for _ in record_steps():
                    await asyncio.sleep(0)
                due -= 1


async def obey(line, writing):
    global rate, position
    command, *words = line.split()
    if command == "count":
        return str(number)
    if command == "rate":
        rate = int(words[0])
        async with writing:
            return "ok"
    async with writing:
        if command == "write":
            for _ in range(int(words[0])):
                for _ in record_steps():
                    pass
        elif command == "restart":
            position = 0
            put(0, *([0] * (RING + RECORD * capacity)))
        else:
            return f"error unknown command {command}"
    return "ok"


async def main():
    loop = asyncio.get_running_loop()
    server = ModbusTcpServer(
        ModbusServerContext(slaves={1: unit}, single=False),
        address=("127.0.0.1", port),
        allow_reuse_address=True,
        ignore_missing_slaves=True,
    )
    ended = asyncio.Event()
    writing = asyncio.Lock()

    async def answer(line):
        print(await obey(line, writing), flush=True)

    def listen():
        for line in sys.stdin:
            asyncio.run_coroutine_threadsafe(answer(line.strip()), loop)
        loop.call_soon_threadsafe(ended.set)

    serving = asyncio.create_task(server.serve_forever())
    await server.serving
    at_rate = asyncio.create_task(write_at_rate(writing))
    print(f"port {server.server.sockets[0].getsockname()[1]}", flush=True)
    threading.Thread(target=listen, daemon=True).start()
    await ended.wait()
    at_rate.cancel()
    serving.cancel()


asyncio.run(main())
