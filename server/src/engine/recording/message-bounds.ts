import type { parse } from '@foxglove/rosmsg';
import { ByteBuffer } from 'flatbuffers';

export type MessageDefinition = ReturnType<typeof parse>[number];
type Field = MessageDefinition['definitions'][number];

/** Guards against messages of a few bytes that decode into lists without end. */

/**
 * Throws when a list may hold elements that take no bytes: the length of such a list is a number that nothing in the message has to show for.
 * An element that takes at least one byte ends with the message.
 */
export function checkLists(definitions: readonly MessageDefinition[]): void {
  const byName = new Map(definitions.map(({ name, definitions: fields }) => [name ?? '', fields]));
  const known = new Map<string, boolean>();

  function takesBytes(type: string): boolean {
    const fields = byName.get(type);
    // A type that is not defined fails when it is decoded.
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

/** Reads of a FlatBuffers message that need no bytes to show for them: its tables may point to one place any number of times. */
const FREE_READS = 10_000;
const READS_PER_BYTE = 8;

/** A message whose decoding ends, however often its tables point to each other. */
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
