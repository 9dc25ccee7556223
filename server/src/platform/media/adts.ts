/** Length in bytes of the header on a packet of AAC as broadcasts carry it (ADTS, ISO/IEC 13818-7); 0 where there is none. */
export function adtsHeaderBytes(data: Buffer): number {
  if (data.length < 7 || data.readUInt16BE(0) >> 4 !== 0xfff) return 0;
  const withoutChecksum = data[1]! & 1;
  return withoutChecksum ? 7 : 9;
}
