"""One read by pymodbus's client: PORT UNIT coil|discrete_input|holding|input ADDRESS COUNT.

Or one write, which a test expects to be refused: PORT UNIT write_coil|write_register|write_registers ADDRESS VALUE.
Prints the values as a JSON list, or {"exception": N}.
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

port, unit, action, address, number = sys.argv[1:]
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
answer = {**reads, **writes}[action](int(address), int(number), slave=int(unit))
if answer.isError():
    print(json.dumps({"exception": answer.exception_code}))
elif action in reads:
    values = answer.bits if action in ("coil", "discrete_input") else answer.registers
    print(json.dumps([int(value) for value in values[: int(number)]]))
else:
    print(json.dumps("written"))
client.close()
