import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { generatePythonModels } from '../../scripts/python-models.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

test.each([
  ['fails in CI', 'true', 1],
  ['is reported as skipped elsewhere', 'false', 0],
])('without the generator the check %s', async (_, CI, exitCode) => {
  // The generator is looked for in the temporary folder.
  const env = { PATH: process.env.PATH, TMPDIR: inject('folder'), CI };
  const script = join(REPOSITORY, 'scripts/check-python-models.ts');
  const { code, stdout } = await promisify(execFile)(process.execPath, [script], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  expect(code).toBe(exitCode);
  expect(stdout).toMatch(/^SKIPPED generated Python models \(.*\.ci\/run installs it\)\n$/);
});

test.runIf(inject('programs').pythonClient)('stale models are detected, and written by the generator', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sightline models '));
  try {
    await cp(join(REPOSITORY, 'clients/python'), join(root, 'clients/python'), { recursive: true });
    const api = await readFile(join(REPOSITORY, 'server/openapi.json'), 'utf8');
    expect(api).toContain('"video_count"');
    await cp(join(REPOSITORY, 'server/openapi.json'), join(root, 'server/openapi.json'));
    expect(await generatePythonModels({ root })).toBe('current');
    await writeFile(join(root, 'server/openapi.json'), api.replaceAll('"video_count"', '"movie_count"'));
    expect(await generatePythonModels({ root })).toBe('stale');
    expect(await generatePythonModels({ root, write: true })).toBe('written');
    expect(await readFile(join(root, 'clients/python/src/sightline/models.py'), 'utf8')).toContain('movie_count');
    expect(await generatePythonModels({ root })).toBe('current');
  } finally {
    await rm(root, { recursive: true });
  }
});
