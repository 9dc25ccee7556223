import type { FormatContext } from 'node-av/lib';
import type { AssembleResult, SequenceFrame } from '../../engine/index.ts';

/** Track for the frames of a sequence. It writes the file header once it knows the track's parameters. */
export type SequenceTrack = {
  readonly video: AssembleResult['video'];
  /** False for an unusable frame. `ticks` is in 1/90,000 s from the first frame of the sequence. */
  add(frame: SequenceFrame, ticks: number): boolean;
  /** Writes pending frames. Returns the number of frames and the ticks of the first. */
  finish(): { frames: number; firstTicks: number };
  free(): void;
};

export type SequenceOutput = { format: FormatContext; begin(): void };
