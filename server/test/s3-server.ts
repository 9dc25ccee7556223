import { type ChildProcess, spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const VERSION = '5.2.5';
/** Where the CI script puts the program when the machine has none; the same on a developer's machine. */
const VENV = join(tmpdir(), 'sightline-moto');

export type S3Server = { endpoint: string; stop: () => Promise<void> };

/** Starts an S3 server that is not ours (moto) on a free port of the loopback interface, with any credentials. Stop it. */
export async function startS3Server(): Promise<S3Server> {
  const program = await findProgram();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  for (let waited = 0; !(await answers(endpoint)); waited += 100) {
    if (child.exitCode !== null || waited > 30_000) {
      child.kill('SIGKILL');
      throw new Error(`the S3 server did not start: ${said}`);
    }
    await sleep(100);
  }
  return { endpoint, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function findProgram(): Promise<string> {
  const folders = [join(VENV, 'bin'), ...(process.env.PATH ?? '').split(delimiter)];
  for (const folder of folders.filter(Boolean)) {
    const path = join(folder, 'moto_server');
    const found = await access(path).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  throw new Error(
    `The storage tests need moto_server, an S3 server from PyPI. Install it once: python3 -m venv ${VENV} && ${join(VENV, 'bin', 'pip')} install 'moto[server]==${VERSION}'`,
  );
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(`${endpoint}/moto-api/`).then(
    (response) => response.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
