/**
 * Runs all tiers of tests. A file that fails runs once more, alone: if it passes then, its tests are reported as
 * `FLAKY` at the end, which is a defect to repair before anything else; if not, the run has failed.
 * `node .ci/tests.ts`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The part of the JSON report of Vitest that is read here. */
type Report = {
  numTotalTests: number;
  numFailedTests: number;
  numPassedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

const folder = mkdtempSync(join(tmpdir(), 'sightline-ci-'));

/** Runs test files, all of them without `paths`. Null if the run ended without a report. */
function runTests(...paths: string[]): Report | null {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const args = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${file}`, ...paths];
  const { status } = spawnSync('npx', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    // Errors outside of tests fail a run without a failed test.
    const isComplete = status === 0 || failedFiles(report).length > 0;
    return isComplete ? report : null;
  } catch {
    return null;
  }
}

const failedFiles = ({ testResults }: Report) => testResults.filter(({ status }) => status !== 'passed');

const all = runTests();
const flaky: string[] = [];
const broken: string[] = [];
for (const { name, assertionResults } of all ? failedFiles(all) : []) {
  const path = relative(process.cwd(), name);
  const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  console.log(`\nOnce more, alone: ${path}\n`);
  const again = runTests(path);
  const passes = again !== null && failedFiles(again).length === 0 && again.numTotalTests > 0;
  for (const test of failed.length > 0 ? failed : ['(the file as a whole)'])
    (passes ? flaky : broken).push(`${path} ${test}`);
}
rmSync(folder, { recursive: true, force: true });
for (const test of broken) console.log(`FAILED ${test}`);
for (const test of flaky) console.log(`FLAKY ${test}`);
if (!all) console.log('FAILED: the run ended without a report, or with errors outside of tests.');
else
  console.log(`${all.numPassedTests + flaky.length} passed, ${broken.length} failed, ${all.numPendingTests} skipped`);
process.exitCode = all && all.numPassedTests > 0 && broken.length === 0 ? 0 : 1;
