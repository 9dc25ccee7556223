/** Extracts the text of a subtitle packet. In MP4 the text has a length prefix and is followed by its style. */
export function extractText(packet: Uint8Array, tag: string): Uint8Array {
  if (tag !== 'tx3g' && tag !== 'text') return packet;
  if (packet.length < 2) return packet.subarray(packet.length);
  return packet.subarray(2, 2 + ((packet[0]! << 8) | packet[1]!));
}
