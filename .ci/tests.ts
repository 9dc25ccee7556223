/**
 * Runs all tiers of tests. A file that fails runs once more, alone: if it passes then, what failed is reported as
 * `FLAKY` at the end, which is a defect to repair before anything else; if not, the run has failed.
 * `node .ci/tests.ts`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from './reporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-ci-'));

/** Runs test files, all of them without `paths`. Null if the run ended without a report. */
function runTests(...paths: string[]): Report | null {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'reporter.ts')}`];
  const { status } = spawnSync('npx', ['vitest', 'run', ...reporters, ...paths], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, REPORT_FILE: file },
  });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const isExplained = status === 0 || report.failed.length > 0 || report.unhandled.length > 0;
    return isExplained ? report : null;
  } catch {
    return null;
  }
}

const all = runTests();
const flaky: string[] = [];
const broken: string[] = [];
for (const { path, failures } of all?.failed ?? []) {
  console.log(`\nOnce more, alone: ${path}\n`);
  const again = runTests(path);
  const passes = again !== null && again.failed.length === 0 && again.unhandled.length === 0 && again.passed > 0;
  for (const { name, message } of failures)
    (passes ? flaky : broken).push(`${path} ${name}\n  ${message.trim().replaceAll('\n', '\n  ')}`);
}
rmSync(folder, { recursive: true, force: true });
for (const note of all?.notes ?? []) console.log(`NOTE ${note}`);
for (const message of all?.unhandled ?? []) broken.push(`outside of the tests\n  ${message}`);
for (const failure of broken) console.log(`FAILED ${failure}`);
for (const failure of flaky) console.log(`FLAKY ${failure}`);
if (!all) console.log('FAILED: the run ended without a report, or without a reason.');
else console.log(`${all.passed} passed, ${broken.length} failed, ${flaky.length} flaky, ${all.skipped} skipped`);
process.exitCode = all && all.passed > 0 && broken.length === 0 ? 0 : 1;
