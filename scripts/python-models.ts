import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Where `.ci/run` installs what the Python client is generated and tested with. */
export const CLIENT_PYTHON = join(tmpdir(), 'sightline-python', 'bin', 'python');

const PACKAGE = resolve(import.meta.dirname, '../clients/python');
const MODELS = 'src/sightline/models.py';

/**
 * Generates the models of the Python client again, if the generator is installed. The gate needs no Python; the tests
 * of the client compare the models. Returns true if they changed, and null without the generator.
 */
export async function writePythonModels(): Promise<boolean | null> {
  if (!existsSync(CLIENT_PYTHON)) return null;
  const before = await readFile(join(PACKAGE, MODELS), 'utf8');
  await promisify(execFile)(CLIENT_PYTHON, ['-m', 'datamodel_code_generator', '--output', MODELS], { cwd: PACKAGE });
  return (await readFile(join(PACKAGE, MODELS), 'utf8')) !== before;
}
