/** MP4 puts the length of the text before it, and the style behind. */
export function textOf(packet: Uint8Array, tag: string): Uint8Array {
  if (tag !== 'tx3g' && tag !== 'text') return packet;
  if (packet.length < 2) return packet.subarray(packet.length);
  return packet.subarray(2, 2 + ((packet[0]! << 8) | packet[1]!));
}
