import type { Backend } from '../backend.ts';
import { mediaProblem } from '../problems.ts';
import { assemble } from './assemble.ts';
import { cut } from './cut.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { probe } from './probe.ts';
import { findPrograms } from './program.ts';
import { readSideTrack, sideTracks } from './side-track.ts';
import { still } from './still.ts';

/**
 * The ffmpeg command line as an engine, for machines on which node-av does not load (musl, other processors). Slower to start, and HDR stays unmapped in
 * pictures; the rest is the same. Rejects when the programs are missing.
 */
export async function createBackend(ffmpegPath: string): Promise<Backend> {
  const programs = await findPrograms(ffmpegPath);
  return {
    name: 'ffmpeg',
    assemble: (path, reel) => assemble(programs, path, reel),
    // Cannot tell when what a stream holds becomes another.
    capture: async () => {
      throw mediaProblem.media_live_unavailable();
    },
    // Cannot begin to copy at an exact keyframe of every container.
    copiable: async () => null,
    cut: (path, target, request) => cut(programs, path, target, request),
    decode: (path, request) => decode(programs, path, request),
    encode: (path, clip) => encode(programs, path, clip),
    probe: (path, maxSeconds) => probe(programs, path, maxSeconds),
    sideTracks: (path) => sideTracks(programs, path),
    readSideTrack: (path, track, onPacket) => readSideTrack(programs, path, track, onPacket),
    still: (path, timeS, maxSide) => still(programs, path, timeS, maxSide),
  };
}
