import type { Backend } from '../backend.ts';
import { decode } from './decode.ts';

/** The node-av engine. Importing this module loads the native library: only a media process may. */
export function createBackend(): Backend {
  return { name: 'node-av', decode };
}
