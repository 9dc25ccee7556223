import { readRecordedStart } from './recorded.ts';
import { describeSidecar, readTableStart } from './sidecar.ts';

/** Most columns that a file may declare; a file with one more has too many. */
const MAX_FIELDS = 100;

/** Content of a JSON file beside a video, as far as it is checked. `fault`: reason why it is not JSON. */
type SidecarContent = { fault: string } | { kind: 'list' } | { kind: 'object'; fields: unknown } | { kind: 'other' };

/**
 * The description of a sidecar, when its video was recorded, and what its uploader must declare rightly. Runs in a
 * thread if the file is large.
 */
export function inspectSidecar(bytes: Uint8Array) {
  const recorded = readRecordedStart(bytes) ?? readTableStart(bytes);
  return { description: describeSidecar(bytes), recorded, content: readContent(bytes) };
}

/** `inspectSidecar` for a thread. */
export const INSPECT_SIDECAR = {
  module: new URL('./inspect-sidecar.ts', import.meta.url),
  name: 'inspectSidecar',
  run: inspectSidecar,
} as const;

function readContent(bytes: Uint8Array): SidecarContent {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return { fault: (error as Error).message };
  }
  if (Array.isArray(content)) return { kind: 'list' };
  if (typeof content !== 'object' || content === null) return { kind: 'other' };
  const { fields } = content as { fields?: unknown };
  return { kind: 'object', fields: Array.isArray(fields) ? fields.slice(0, MAX_FIELDS + 1) : fields };
}
