import { CLASSES } from '../observe/objects/classes.ts';
import { createThings, type Things } from '../observe/objects/things.ts';
import type { Objects, Observations } from '../observe/observations.ts';
import { NOTHING_OBSERVED } from '../observe/observers.ts';
import type { Chunk } from './chunk.ts';
import { joinSignals, joinSound, signalsFrom } from './signals.ts';

/** A chunk and when it begins, in seconds of the stream. */
export type Piece = { chunk: Chunk; startS: number };

/**
 * The last stretch of a stream as if it were a video: at least `seconds` of it (once so much has been), at most twice as much. Things are followed from piece to piece; from
 * time to time, what is too old is forgotten and they are followed anew through what is left, so that memory and time stay bounded.
 */
export type Window = {
  /** Adds the piece that follows. Returns where the window begins now, in seconds of the stream. */
  add(piece: Piece): number;
  /** What is in the window; times count from its beginning. Null when there is nothing. */
  observations(): Observations | null;
  startS(): number;
  endS(): number;
};

export function createWindow(seconds: number): Window {
  let pieces: Piece[] = [];
  let things: Things = createThings();
  let looks: { timeS: number; pts: number }[] = [];
  let model: string | null = null;

  const startS = () => pieces[0]?.startS ?? 0;
  const endS = () => {
    const last = pieces.at(-1);
    return last ? last.startS + last.chunk.video.durationS : 0;
  };

  function follow({ chunk: { seen }, startS: pieceS }: Piece): void {
    if (!seen) return;
    model = seen.model;
    const atS = pieceS - startS();
    for (const { look, colors, pts } of seen.looks) {
      const timeS = look.timeS + atS;
      looks.push({ timeS, pts });
      things.take({ ...look, timeS }, colors);
    }
  }

  function forget(): void {
    pieces = pieces.filter((piece) => piece.startS + piece.chunk.video.durationS > endS() - seconds);
    things = createThings();
    looks = [];
    pieces.forEach(follow);
  }

  function objects(): Objects | null {
    if (model === null) return null;
    return {
      model,
      classes: [...CLASSES],
      timeS: Float64Array.from(looks, ({ timeS }) => timeS),
      pts: Float64Array.from(looks, ({ pts }) => pts),
      tracks: things.finish(),
    };
  }

  return {
    startS,
    endS,
    add(piece) {
      const last = pieces.at(-1);
      if (last) {
        // What is observed again is known better.
        const untilS = piece.startS + piece.chunk.signals.timeS[0]! - last.startS;
        last.chunk = { ...last.chunk, signals: signalsFrom(last.chunk.signals, Number.NEGATIVE_INFINITY, untilS) };
      }
      pieces.push({ ...piece });
      if (endS() - startS() > 2 * seconds) forget();
      else follow(piece);
      return startS();
    },
    observations() {
      const last = pieces.at(-1);
      if (!last) return null;
      const durationS = endS() - startS();
      const parts = pieces.map(({ chunk, startS: pieceS }) => {
        const atS = pieceS - startS();
        return { ...chunk, atS, endS: atS + chunk.video.durationS };
      });
      return {
        ...NOTHING_OBSERVED,
        video: { ...last.chunk.video, durationS, hasAudio: pieces.some(({ chunk }) => chunk.video.hasAudio) },
        signals: joinSignals(parts),
        sound: joinSound(parts),
        objects: objects(),
      };
    },
  };
}
