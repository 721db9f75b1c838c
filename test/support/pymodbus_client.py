"""Requests by pymodbus's client, one after another: PORT, then four words for each.

UNIT coil|discrete_input|holding|input ADDRESS COUNT, or UNIT write_coil|write_register|write_registers ADDRESS VALUE.
Prints a JSON list with an answer for each: a list of values, {"exception": N} or "written".
"""
import json
import sys
from importlib.util import find_spec
from unittest.mock import MagicMock

# pymodbus imports its serial side even for TCP, while Debian only recommends the packages behind it.
for name in ("serial", "serial_asyncio"):
    if find_spec(name) is None:
        sys.modules[name] = MagicMock()

from pymodbus.client.tcp import ModbusTcpClient

port, *words = sys.argv[1:]
client = ModbusTcpClient("127.0.0.1", port=int(port))
client.connect()
reads = {
    "coil": client.read_coils,
    "discrete_input": client.read_discrete_inputs,
    "holding": client.read_holding_registers,
    "input": client.read_input_registers,
}
writes = {
    "write_coil": lambda at, value, slave: client.write_coil(at, bool(value), slave=slave),
    "write_register": client.write_register,
    "write_registers": lambda at, value, slave: client.write_registers(at, [value, value], slave=slave),
}


def ask(unit, action, address, number):
    answer = {**reads, **writes}[action](int(address), int(number), slave=int(unit))
    if answer.isError():
        return {"exception": answer.exception_code}
    if action in writes:
        return "written"
    values = answer.bits if action in ("coil", "discrete_input") else answer.registers
    return [int(value) for value in values[: int(number)]]


print(json.dumps([ask(*words[at : at + 4]) for at in range(0, len(words), 4)]))
client.close()
