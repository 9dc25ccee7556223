import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { findSandboxes, spawnMediaProcess } from '#platform/media/process/index';
import type { RecordingCost } from '#test/mcap/recording-cost';
import { createTestMedia } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';
import { HOSTILE_RECORDINGS } from './hostile-recordings.fixture.ts';

// Limits for each bomb: CPU seconds, and memory of the media process above that of an idle one.
const MAX_CPU_S = 5;
const MAX_BYTES = 100e6;
const TASKS = new URL('../../../test/mcap/recording-cost.ts', import.meta.url);
const SHARED = fileURLToPath(new URL('../../../../../shared/data/mcap/', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Reads a recording in a fresh process, so that the memory is its own. */
async function read(path: string): Promise<RecordingCost> {
  const [sandbox] = await findSandboxes({ without: ['isolated', 'user'] });
  const media = spawnMediaProcess({ sandbox: sandbox!, log: createLog('error') });
  try {
    await media.started;
    const outcome = await media.run({ module: TASKS.href, name: 'measureRecordingCost', args: { path } }, {});
    if (outcome.kind !== 'value') throw outcome.kind === 'error' ? outcome.error : new Error(outcome.how);
    return outcome.value as RecordingCost;
  } finally {
    media.kill();
    await media.exited;
  }
}

test.each(Object.entries(HOSTILE_RECORDINGS))(
  '%s: refused with its reason, at little cost',
  async (name, { bytes, reason }) => {
    const path = join(folder, `${Object.keys(HOSTILE_RECORDINGS).indexOf(name)}.mcap`);
    await writeFile(path, bytes());
    const { reasons, cpuS, grownBytes } = await read(path);
    expect(reasons.join('\n').slice(0, 2_000)).toMatch(reason);
    expect(reasons.length).toBeLessThanOrEqual(1_001);
    expect(cpuS).toBeLessThan(MAX_CPU_S);
    expect(grownBytes).toBeLessThan(MAX_BYTES);
  },
);

test.runIf(existsSync(SHARED))('real recordings are within the limits', async () => {
  const files = (await readdir(SHARED)).filter((name) => name.endsWith('.mcap'));
  expect(files.length).toBeGreaterThan(10);
  const media = await createTestMedia();
  try {
    for (const file of files) {
      const args = { path: join(SHARED, file), videos: false };
      const { reasons } = await media.run<RecordingCost>({ module: TASKS, name: 'measureRecordingCost', args });
      expect([file, reasons.filter((reason) => /accepted|refused/.test(reason))]).toEqual([file, []]);
    }
  } finally {
    await media.close();
  }
});
