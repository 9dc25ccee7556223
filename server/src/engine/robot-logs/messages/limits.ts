import type { parse } from '@foxglove/rosmsg';
import { ByteBuffer } from 'flatbuffers';

export type MessageDefinition = ReturnType<typeof parse>[number];
type Field = MessageDefinition['definitions'][number];

/** Limits for small messages that would decode into huge lists. */

/**
 * Throws if a list has elements without content: its length is not limited by the size of the message.
 */
export function checkListElements(definitions: readonly MessageDefinition[]): void {
  const byName = new Map(definitions.map(({ name, definitions: fields }) => [name ?? '', fields]));
  const known = new Map<string, boolean>();

  function takesBytes(type: string): boolean {
    const fields = byName.get(type);
    // An undefined type fails when it is decoded.
    if (!fields) return true;
    const before = known.get(type);
    if (before !== undefined) return before;
    known.set(type, true);
    const takes = fields.some(fieldTakesBytes);
    known.set(type, takes);
    return takes;
  }
  function fieldTakesBytes({ isConstant, isArray, arrayLength, isComplex, type }: Field): boolean {
    if (isConstant) return false;
    if (isArray && arrayLength === undefined) return true;
    return arrayLength !== 0 && (!isComplex || takesBytes(type));
  }

  for (const { definitions: fields } of definitions) {
    const empty = fields.find(({ isArray, isComplex, type }) => isArray && isComplex && !takesBytes(type));
    if (empty) throw new Error(`it has a list "${empty.name}" of elements without content`);
  }
}

/** Reads that every FlatBuffers message may need: its tables may refer to the same bytes any number of times. */
const FREE_READS = 10_000;
const READS_PER_BYTE = 8;

/** A message whose decoding is limited, however often its tables refer to each other. */
export class BoundedBuffer extends ByteBuffer {
  #left: number;
  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#left = FREE_READS + READS_PER_BYTE * bytes.length;
  }
  /** Each table, vector and string is found by one of these. */
  override readInt32(offset: number): number {
    if (this.#left-- <= 0) throw new Error('its tables point to each other too often');
    return super.readInt32(offset);
  }
}
