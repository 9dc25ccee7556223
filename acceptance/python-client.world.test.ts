// The Python client as users install it, and its notebook, against the product as users start it: runs the tests in
// clients/python/tests.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { REPOSITORY } from './harness/command.ts';
import { makeFolder, startService } from './harness/service.ts';

const TIMEOUT_MS = 300_000;
const PACKAGE = join(REPOSITORY, 'clients/python');
const { pythonClient } = inject('programs');
const run = promisify(execFile);

test.runIf(pythonClient)('the Python client passes its tests, installed', { timeout: TIMEOUT_MS }, async () => {
  const python = pythonClient!;
  const folder = await makeFolder();
  // Nothing in these tests needs the detector, which takes most of an analysis.
  const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const service = await startService(`${folder.path}/data`, { env });
  try {
    const installed = join(folder.path, 'installed');
    // Its dependencies are installed already, in the versions that the tests name.
    const options = ['--quiet', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
    await run(python, ['-m', 'pip', 'install', ...options, '--target', installed, PACKAGE]);
    const variables = {
      PATH: process.env.PATH,
      HOME: folder.path,
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: '1',
      SIGHTLINE_URL: service.url,
      SIGHTLINE_API_KEY: service.key,
      SIGHTLINE_TEST_CLIP: await sceneClip(),
    };
    const tests = await run(python, ['-m', 'pytest', '--quiet', '--basetemp', join(folder.path, 'tests')], {
      cwd: PACKAGE,
      env: variables,
    }).catch((error) => error);
    expect(tests.code ?? 0, `${tests.stdout}\n${tests.stderr}`).toBe(0);
    expect(tests.stdout).toMatch(/^\d\d passed/m);
  } finally {
    await service.stop();
    await folder.remove();
  }
});
