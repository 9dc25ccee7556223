import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { DecodePosition } from '#platform/media/index';
import type { SavedPass, SavedRange } from './resume.ts';
import type { DensePass } from './types.ts';

/** A range of a pass as it is stored: what it added, and the state of the pass after it. */
export type StoredRange = {
  /** Number of ranges before it. Those from there on are replaced. */
  index: number;
  added: Uint8Array;
  state: Uint8Array;
  /** Completed part of the pass, 0 to 1. */
  fraction: number;
};
/** The stored ranges of a pass, in order. */
export type StoredPass = { added: readonly Uint8Array[]; state: Uint8Array };

/** A pass to continue: its position, and the saved results of each observer, by kind. */
export type ResumedPass = Pick<State, 'threads' | 'position' | 'fraction'> & { saved: ReadonlyMap<string, SavedPass> };

type State = { threads: number; position: DecodePosition; fraction: number; states: Map<string, unknown> };

/** Packets after which a decoder with several threads has reported damage in those before. */
const REPORTING_PACKETS = 16;
/** Compresses fast, and detects damage. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Saves an open pass range by range. `take` captures its state at once; a range is emitted when all observers have
 * completed it and nothing in it turned out to be damaged, in order and one at a time.
 */
export function createRangeSaver(settings: {
  passes: ReadonlyMap<string, DensePass<unknown>>;
  threads: number;
  /** Number of stored ranges that the pass continues. */
  stored: number;
  emit: (range: StoredRange) => Promise<void>;
}) {
  const { passes, threads, stored, emit } = settings;
  type Taken = { position: DecodePosition; fraction: number; ranges: [string, SavedRange][] | null };
  const taken: Taken[] = [];
  let index = stored;
  let storing: Promise<void> = Promise.resolve();
  let isStoring = false;

  return {
    take(position: DecodePosition, fraction: number): void {
      const next: Taken = { position, fraction, ranges: null };
      taken.push(next);
      const saves = passes.entries().flatMap(([kind, pass]) => {
        const range = pass.save?.();
        return range ? [Promise.resolve(range).then((value): [string, SavedRange] => [kind, value])] : [];
      });
      // Observers that fail also fail the pass.
      Promise.all(saves).then(
        (ranges) => {
          next.ranges = ranges;
        },
        () => {},
      );
    },
    /** Emits the next range if it is complete. */
    flush(position: () => DecodePosition | null): void {
      const [first] = taken;
      if (!first?.ranges || isStoring) return;
      if (threads > 1 && (position()?.read ?? 0) < first.position.read + REPORTING_PACKETS) return;
      taken.shift();
      const added = new Map(first.ranges.map(([kind, range]) => [kind, range.added]));
      const states = new Map(first.ranges.map(([kind, range]) => [kind, range.state]));
      const { position: after, fraction } = first;
      const state: State = { threads, position: after, fraction, states };
      isStoring = true;
      storing = emit({ index: index++, added: pack(added), state: pack(state), fraction }).finally(() => {
        isStoring = false;
      });
    },
    /** Resolves when the emitted range is stored. */
    stored: () => storing,
  };
}

/** Reads a stored pass; null if it is damaged. */
export function readStoredPass({ added, state }: StoredPass): ResumedPass | null {
  try {
    const ranges = added.map((range) => unpack(range) as Map<string, unknown>);
    const { states, ...pass } = unpack(state) as State;
    const saved = [...states].map(([kind, own]): [string, SavedPass] => [
      kind,
      { added: ranges.map((range) => range.get(kind)), state: own },
    ]);
    return { ...pass, saved: new Map(saved) };
  } catch {
    return null;
  }
}

const pack = (value: unknown): Uint8Array => zstdCompressSync(serialize(value), OPTIONS);
const unpack = (bytes: Uint8Array): unknown => deserialize(zstdDecompressSync(bytes));
