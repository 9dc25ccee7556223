import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { REPOSITORY } from './command.ts';
import type { Service } from './service.ts';

const TIMEOUT_MS = 120_000;

/**
 * Runs every command of a page of `docs/` as printed, in one shell, and stops at the first failure. The page's first
 * block sets an example address and key, which are replaced by the reader's. The output has one part per block, which
 * starts with `== ` and the block's number.
 */
export async function runPage(page: string, service: Service, cwd: string, env: Record<string, string> = {}) {
  const markdown = await readFile(join(REPOSITORY, 'docs', `${page}.md`), 'utf8');
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
  const own = `export SIGHTLINE_URL=${service.url} SIGHTLINE_API_KEY=${service.key}`;
  const script = blocks.map((block, i) => `echo "== ${i}"; ${i === 0 ? own : block}`).join('\n');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd,
    env: { ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1))),
  ]);
  return { code, output, blocks: blocks.length };
}
