"""Requests by pymodbus's client, one after another: PORT or rtu:PORT, then four words for each.

UNIT coil|discrete_input|holding|input ADDRESS COUNT, or UNIT write_coil|write_register|write_registers ADDRESS VALUE.
UNIT write_coils ADDRESS BITS (0 and 1), UNIT mask ADDRESS AND:OR, UNIT read_write ADDRESS VALUE (writes one register, reads
two from there), UNIT file_N RECORD COUNT.
Prints a JSON list with an answer for each: a list of values, {"exception": N}, {"failed": TEXT} or "written".
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
from pymodbus.file_message import FileRecord, ReadFileRecordRequest
from pymodbus.register_read_message import ReadWriteMultipleRegistersRequest
from pymodbus.register_write_message import MaskWriteRegisterRequest
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer

port, *words = sys.argv[1:]
framer = ModbusRtuFramer if port.startswith("rtu:") else ModbusSocketFramer
client = ModbusTcpClient(
    "127.0.0.1", port=int(port.removeprefix("rtu:")), framer=framer, timeout=1, retries=0
)
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


def mask(at, masks, slave):
    and_mask, or_mask = masks.split(":")
    request = MaskWriteRegisterRequest(at, int(and_mask), int(or_mask), unit=slave)
    request.unit_id = slave
    return client.execute(request)


def read_file(file, record, count, slave):
    request = ReadFileRecordRequest([FileRecord(file_number=file, record_number=record, record_length=count)])
    request.unit_id = slave
    return client.execute(request)


def ask(unit, action, address, number):
    at, slave = int(address), int(unit)
    if action == "write_coils":
        answer = client.write_coils(at, [bit == "1" for bit in number], slave=slave)
    elif action == "mask":
        answer = mask(at, number, slave)
    elif action == "read_write":
        request = ReadWriteMultipleRegistersRequest(
            read_address=at, read_count=2, write_address=at, write_registers=[int(number)]
        )
        request.unit_id = slave
        answer = client.execute(request)
    elif action.startswith("file_"):
        answer = read_file(int(action.removeprefix("file_")), at, int(number), slave)
    else:
        answer = {**reads, **writes}[action](at, int(number), slave=slave)
    if answer.isError():
        code = getattr(answer, "exception_code", None)
        return {"failed": str(answer)} if code is None else {"exception": code}
    if action in writes or action in ("write_coils", "mask"):
        return "written"
    if action.startswith("file_"):
        data = answer.records[0].record_data
        return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]
    if action == "read_write":
        return answer.registers
    values = answer.bits if action in ("coil", "discrete_input") else answer.registers
    return [int(value) for value in values[: int(number)]]


print(json.dumps([ask(*words[at : at + 4]) for at in range(0, len(words), 4)]))
client.close()
