// The published Python client uploads a folder of small files in one call, to a service with its default limits. The
// newest version does not repeat a write that is refused with 429.
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { makeFolder, startService } from './harness/service.ts';

const { nomadicml } = inject('programs');
const FILES = 200;
/** An empty variable counts as absent. */
const DEFAULT_LIMITS = {
  SIGHTLINE_WRITES_PER_MINUTE: '',
  SIGHTLINE_WRITES_PER_DAY: '',
  SIGHTLINE_READS_PER_MINUTE: '',
};
const UPLOAD = `
import json, sys
from nomadicml import NomadicML
url, key, *files = sys.argv[1:]
print(json.dumps([each["status"] for each in NomadicML(api_key=key, base_url=url).upload(files)]))
`;

test.runIf(nomadicml)('a batch of 200 files is uploaded whole', { timeout: 600_000 }, async () => {
  const folder = await makeFolder();
  const service = await startService(join(folder.path, 'data'), { env: DEFAULT_LIMITS });
  try {
    const clip = await sceneClip();
    const files = Array.from({ length: FILES }, (_, i) => join(folder.path, `${i}.mp4`));
    for (const file of files) await copyFile(clip, file);
    const { stdout } = await promisify(execFile)(nomadicml!.newest, ['-c', UPLOAD, service.url, service.key, ...files]);
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual(Array(FILES).fill('uploaded'));
  } finally {
    await service.stop();
    await folder.remove();
  }
});
