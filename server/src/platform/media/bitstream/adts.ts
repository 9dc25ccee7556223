/** Length in bytes of the ADTS header (ISO/IEC 13818-7) of an AAC packet; 0 if there is none. */
export function adtsHeaderBytes(data: Buffer): number {
  if (data.length < 7 || data.readUInt16BE(0) >> 4 !== 0xfff) return 0;
  const withoutChecksum = data[1]! & 1;
  return withoutChecksum ? 7 : 9;
}
