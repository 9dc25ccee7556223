import type { MediaEngine } from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { assemble } from './assemble.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { metadataTracks, readMetadataTrack } from './metadata-track.ts';
import { probe } from './probe.ts';
import { findPrograms } from './program.ts';
import { still } from './still.ts';
import { trim } from './trim.ts';

/**
 * Engine on the ffmpeg command line, for systems on which node-av does not load (musl, other processors). Starts more
 * slowly and does not convert HDR in stills. Rejects if the programs are missing.
 */
export async function createEngine(ffmpegPath: string): Promise<MediaEngine> {
  const programs = await findPrograms(ffmpegPath);
  return {
    name: 'ffmpeg',
    assemble: (path, sequence) => assemble(programs, path, sequence),
    // The command line does not report changes of a stream's tracks.
    capture: async () => {
      throw mediaProblem.media_live_unavailable();
    },
    // Copying cannot start at an exact keyframe in every container.
    copyablePackets: async () => null,
    trim: (path, target, request) => trim(programs, path, target, request),
    decode: (path, request) => decode(programs, path, request),
    encode: (path, clip) => encode(programs, path, clip),
    probe: (path, maxSeconds) => probe(programs, path, maxSeconds),
    metadataTracks: (path) => metadataTracks(programs, path),
    readMetadataTrack: (path, track, onPacket) => readMetadataTrack(programs, path, track, onPacket),
    still: (path, timeS, maxSide) => still(programs, path, timeS, maxSide),
  };
}
