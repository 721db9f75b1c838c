"""Values beside pymodbus: JSON list of {type, order, value, words} in, JSON list of {words, value} out.

`words` of the answer are the registers into which pymodbus lays `value`; `value` is what it reads out of the `words` of
the question, as text, so that no digit is lost.
"""
import json
import sys
from importlib.util import find_spec
from unittest.mock import MagicMock

# pymodbus imports its serial side even for TCP, while Debian only recommends the packages behind it.
for name in ("serial", "serial_asyncio"):
    if find_spec(name) is None:
        sys.modules[name] = MagicMock()

from pymodbus.constants import Endian
from pymodbus.payload import BinaryPayloadBuilder, BinaryPayloadDecoder

ORDERS = {
    "ABCD": (Endian.Big, Endian.Big),
    "CDAB": (Endian.Big, Endian.Little),
    "BADC": (Endian.Little, Endian.Big),
    "DCBA": (Endian.Little, Endian.Little),
}


NAMES = {
    "int16": "16bit_int",
    "uint16": "16bit_uint",
    "int32": "32bit_int",
    "uint32": "32bit_uint",
    "int64": "64bit_int",
    "uint64": "64bit_uint",
    "float32": "32bit_float",
    "float64": "64bit_float",
}


def value_of(case):
    return int(case["value"]) if "int" in case["type"] else case["value"]


def registers(case):
    byteorder, wordorder = ORDERS[case["order"]]
    builder = BinaryPayloadBuilder(byteorder=byteorder, wordorder=wordorder)
    if case["type"] == "string":
        builder.add_string(case["value"])
    elif case["type"] == "bits":
        builder.add_bits(case["value"])
    else:
        getattr(builder, "add_" + NAMES[case["type"]])(value_of(case))
    return builder.to_registers()


def decoded(case):
    if case["type"] == "bits":
        return ""
    byteorder, wordorder = ORDERS[case["order"]]
    decoder = BinaryPayloadDecoder.fromRegisters(case["words"], byteorder=byteorder, wordorder=wordorder)
    if case["type"] == "string":
        return decoder.decode_string(2 * len(case["words"])).decode()
    return repr(getattr(decoder, "decode_" + NAMES[case["type"]])())


print(json.dumps([{"words": registers(case), "value": decoded(case)} for case in json.load(sys.stdin)]))
