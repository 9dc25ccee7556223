import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Where `.ci/run` installs what the Python client is generated and tested with. */
export const CLIENT_PYTHON = join(tmpdir(), 'sightline-python', 'bin', 'python');

const REPOSITORY = resolve(import.meta.dirname, '..');
const PACKAGE = 'clients/python';
const MODELS = `${PACKAGE}/src/sightline/models.py`;

/** Printed instead of a result where the generator is missing. */
export const PYTHON_MODELS_SKIPPED = `SKIPPED generated Python models (their generator is not in ${CLIENT_PYTHON}; .ci/run installs it)`;

export type PythonModels = 'missing generator' | 'current' | 'stale' | 'written';

/**
 * Generates the models of the Python client from `server/openapi.json` and compares them with the committed ones. With
 * `write`, stale ones are replaced.
 */
export async function generatePythonModels({ write = false, root = REPOSITORY } = {}): Promise<PythonModels> {
  if (!existsSync(CLIENT_PYTHON)) return 'missing generator';
  const scratch = await mkdtemp(join(tmpdir(), 'sightline-models-'));
  try {
    const output = join(scratch, 'models.py');
    const args = ['-m', 'datamodel_code_generator', '--output', output];
    await promisify(execFile)(CLIENT_PYTHON, args, { cwd: join(root, PACKAGE) });
    const models = await readFile(output, 'utf8');
    if (models === (await readFile(join(root, MODELS), 'utf8'))) return 'current';
    if (!write) return 'stale';
    await writeFile(join(root, MODELS), models);
    return 'written';
  } finally {
    await rm(scratch, { recursive: true });
  }
}
