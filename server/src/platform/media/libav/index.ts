import type { Backend } from '../backend.ts';
import { assemble } from './assemble.ts';
import { copiable } from './copiable.ts';
import { cut } from './cut.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { capture } from './live.ts';
import { probe } from './probe.ts';
import { readSideTrack, sideTracks } from './side-track.ts';
import { createStill } from './still.ts';

/** The node-av engine. Importing this module loads the native library: only a media process may. */
export function createBackend(): Backend {
  return {
    name: 'node-av',
    assemble,
    capture,
    copiable,
    cut,
    decode,
    encode,
    probe,
    sideTracks,
    readSideTrack,
    still: createStill(),
  };
}
