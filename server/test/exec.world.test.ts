import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const EXEC = fileURLToPath(new URL('../exec.js', import.meta.url));

test('exec for Windows runs a program with its arguments and ends as it ends', async () => {
  const script = 'console.log(JSON.stringify(process.argv.slice(1))); process.exit(3)';
  const outcome = await new Promise((resolve) => {
    const args = [EXEC, 'node', '-e', script, '--', 'a clip.mp4', '"quoted"'];
    execFile(process.execPath, args, (error, stdout) => resolve([error?.code, JSON.parse(stdout)]));
  });
  expect(outcome).toEqual([3, ['a clip.mp4', '"quoted"']]);
});
