import type { MediaEngine } from '../engine/index.ts';
import { createStill, decode, metadataTracks, probe, readMetadataTrack } from './decode/index.ts';
import { assemble, encode } from './encode/index.ts';
import { capture } from './live/index.ts';
import { copyablePackets, trim } from './trim/index.ts';

/** Importing this module loads the native library, so only media processes may import it. */
export function createEngine(): MediaEngine {
  return {
    assemble,
    capture,
    copyablePackets,
    trim,
    decode,
    encode,
    probe,
    metadataTracks,
    readMetadataTrack,
    still: createStill(),
  };
}
