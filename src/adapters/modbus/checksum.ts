const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  return crc;
});

/** CRC-16 of Modbus over Serial Line V1.02, appendix B; on the line its low byte comes first. */
export function checksum(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff;
  for (let index = start; index < end; index += 1)
    crc = (crc >> 8) ^ (TABLE[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
  return crc;
}
