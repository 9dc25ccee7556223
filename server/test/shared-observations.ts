import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '#engine/index';
import { newId } from '#platform/ids';

/**
 * A copy of an MP4 of which no observations are shared: a random box at its end, which players skip, changes its
 * digest. For tests of what a page shows while a video is observed.
 */
export function unobserved(clip: Uint8Array): Buffer {
  const box = Buffer.alloc(24);
  box.writeUInt32BE(box.length);
  box.write('free', 4);
  randomFillSync(box, 8);
  return Buffer.concat([clip, box]);
}

type Observe = Engine['observe'];
type Kind = Parameters<Observe>[1][number];

/** Folder of shared observations in that of a run. */
export const OBSERVATIONS = 'observations';

/**
 * An engine that takes observations of whole files from a folder that all test files of a run share, by the content of
 * the file and the version of the observer, and puts there what it makes. For tests of what is done with observations.
 */
export function shareObservations<Shared extends Engine>(engine: Shared, folder: string): Shared {
  const observe: Observe = async (path, kinds, options = {}) => {
    const { range, sidecar, subtitles, detector } = options;
    if (range || sidecar || subtitles) return engine.observe(path, kinds, options);
    const content = createHash('sha256');
    await pipeline(createReadStream(path), content);
    const clip = join(folder, content.digest('hex'));
    const versions = new Map(
      (await engine.observers({ detector })).map((each) => [each.kind, 'version' in each ? each.version : null]),
    );
    const fileOf = (kind: Kind) => join(clip, `${kind}-${versions.get(kind)}`);
    const known = new Map<Kind, Uint8Array>();
    for (const kind of kinds) {
      const bytes = await readFile(fileOf(kind)).catch(() => null);
      if (bytes) known.set(kind, bytes);
    }
    const missing = kinds.filter((kind) => !known.has(kind));
    if (missing.length === 0) return known;
    const sources = new Map([...(options.sources ?? []), ...known]);
    const made = await engine.observe(path, missing, { ...options, sources });
    await mkdir(clip, { recursive: true });
    for (const [kind, bytes] of made) {
      // Others read it as soon as it is there.
      const scratch = join(clip, newId());
      await writeFile(scratch, bytes);
      await rename(scratch, fileOf(kind));
    }
    return new Map([...known, ...made]);
  };

  return { ...engine, observe };
}
