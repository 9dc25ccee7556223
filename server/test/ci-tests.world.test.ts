import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The runner of CI (`.ci/tests.ts`), on test files that fail in different ways. */
const ROOT = join(import.meta.dirname, '../..');

/** Runs the files, which have a flag each that is false in the first run. Returns the summary and the exit code. */
function runFiles(files: Record<string, string>): { summary: string; status: number | null } {
  // Within the repository, so that the files find Vitest.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/ci-tests-'));
  try {
    writeFileSync(join(folder, 'vitest.config.ts'), 'export default { test: { include: ["*.check.ts"] } };');
    for (const [name, body] of Object.entries(files)) {
      const mark = JSON.stringify(join(folder, `${name}.ran`));
      const source = `import { existsSync, writeFileSync } from 'node:fs';
        import { afterAll, describe, expect, test } from 'vitest';
        const isSecond = existsSync(${mark});
        writeFileSync(${mark}, '');
        ${body}`;
      writeFileSync(join(folder, `${name}.check.ts`), source);
    }
    const { stdout, status } = spawnSync(process.execPath, [join(ROOT, '.ci/tests.ts')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { summary: stdout.slice(stdout.search(/^(NOTE|FAILED|FLAKY|\d+ passed,)/m)), status };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PASSES = "test('passes', () => {});";

test('CI names what failed in a file without a failed test, and passes if that was once', () => {
  const { summary, status } = runFiles({
    hook: `describe('a room', () => { afterAll(() => { expect(isSecond, 'closed').toBe(true); }); ${PASSES} });`,
    file: `afterAll(() => { if (!isSecond) throw new Error('left\\nrunning'); }); ${PASSES}`,
    sound: PASSES,
  });
  expect(summary).toMatch(/^FLAKY hook\.check\.ts a room \(its hooks\)\n {2}closed: expected false to be true/m);
  expect(summary).toMatch(/^FLAKY file\.check\.ts \(the file as a whole\)\n {2}left\n {2}running/m);
  expect(summary).toMatch(/^3 passed, 0 failed, 2 flaky, 0 skipped$/m);
  expect(status).toBe(0);
});

test('CI fails on a test or module that fails again, and on an error outside of tests', () => {
  const { summary, status } = runFiles({
    test: "test('adds', () => expect(1).toBe(2));",
    module: "throw new Error('no such table');",
    work: `${PASSES} setTimeout(() => { throw new Error('too late'); });`,
  });
  expect(summary).toMatch(/^FAILED test\.check\.ts adds\n {2}expected 1 to be 2/m);
  expect(summary).toMatch(/^FAILED module\.check\.ts \(the file as a whole\)\n {2}no such table/m);
  expect(summary).toMatch(/^FAILED .*\n {2}too late/m);
  expect(status).toBe(1);
});

test('CI prints what tests annotate', () => {
  const note = "test('tries', async ({ annotate }) => { await annotate('sandbox isolated (root): tried'); });";
  const { summary } = runFiles({ sandbox: note });
  expect(summary).toMatch(/^NOTE sandbox isolated \(root\): tried\n1 passed/);
});
