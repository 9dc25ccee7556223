import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Pinned versions of the peers, so that figures of different days compare. */
const PACKAGES = ['scenedetect==0.7.2', 'opencv-python-headless==5.0.0.93'];
const MOST_OUTPUT = 64 * 2 ** 20;

/**
 * Python with the peers installed in the temporary folder, created once. Returns the reason if that is impossible: no
 * Python, no network.
 */
export async function createPeers(): Promise<{ python: string } | { absent: string }> {
  const name = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `sightline-peers-${name}`);
  const python = join(folder, 'bin', 'python');
  try {
    if (!existsSync(python)) await run('python3', ['-m', 'venv', folder]);
    const installed = await run(python, ['-m', 'pip', 'freeze']);
    if (PACKAGES.some((wanted) => !installed.stdout.includes(wanted))) {
      await run(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
    }
    return { python };
  } catch (error) {
    return { absent: `the peer could not be installed: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** Runs a peer's script over videos. Returns its output for each. */
export async function runPeer<Result>(python: string, script: string, videos: readonly string[]): Promise<Result[]> {
  const path = join(import.meta.dirname, '..', 'peers', script);
  const { stdout } = await run(python, [path, ...videos], { maxBuffer: MOST_OUTPUT });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
}
