"""Values laid into registers by pymodbus: JSON list of {type, order, value} in, JSON list of register lists out."""
import json
import sys
from importlib.util import find_spec
from unittest.mock import MagicMock

# pymodbus imports its serial side even for TCP, while Debian only recommends the packages behind it.
for name in ("serial", "serial_asyncio"):
    if find_spec(name) is None:
        sys.modules[name] = MagicMock()

from pymodbus.constants import Endian
from pymodbus.payload import BinaryPayloadBuilder

ORDERS = {
    "ABCD": (Endian.Big, Endian.Big),
    "CDAB": (Endian.Big, Endian.Little),
    "BADC": (Endian.Little, Endian.Big),
    "DCBA": (Endian.Little, Endian.Little),
}


def registers(case):
    byteorder, wordorder = ORDERS[case["order"]]
    builder = BinaryPayloadBuilder(byteorder=byteorder, wordorder=wordorder)
    add = {
        "int16": builder.add_16bit_int,
        "uint16": builder.add_16bit_uint,
        "int32": builder.add_32bit_int,
        "uint32": builder.add_32bit_uint,
        "int64": builder.add_64bit_int,
        "uint64": builder.add_64bit_uint,
        "float32": builder.add_32bit_float,
        "float64": builder.add_64bit_float,
        "string": builder.add_string,
    }[case["type"]]
    add(case["value"])
    return builder.to_registers()


print(json.dumps([registers(case) for case in json.load(sys.stdin)]))
