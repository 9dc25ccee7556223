import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#platform/net/index';

export type ProgramServer = { endpoint: string; stop: () => Promise<void> };

/**
 * Starts a server that is a program on a free port of the loopback interface, and waits until `path` of it answers.
 * Stop it.
 */
export async function startProgramServer(
  program: string,
  argsOf: (port: number) => string[],
  path: string,
): Promise<ProgramServer> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(program, argsOf(port), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-2000);
  });
  for (let waited = 0; !(await answers(endpoint + path)); waited += 100) {
    if (child.exitCode !== null || waited > 30_000) {
      child.kill('SIGKILL');
      throw new Error(`${program} did not start: ${output}`);
    }
    await sleep(100);
  }
  return {
    endpoint,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}
