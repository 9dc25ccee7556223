import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Run } from './program.ts';
import type { Session } from './session.ts';

export function apiCommand(program: Command, run: Run): void {
  program
    .command('api')
    .description('any request of the API, for what has no command of its own; prints the answer, a stream as it comes')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'such as `/api/videos?tag=night`; /openapi.json describes all of them')
    .argument('[body]', 'what to send; `-` is what comes on stdin')
    .option('--type <type>', 'what the body is', 'application/json')
    .action(run(request));
}

async function request(session: Session, method: string, path: string, said?: string, flags: { type?: string } = {}) {
  if (!path.startsWith('/')) throw new Error('A path begins with a slash, such as `/api/usage`.');
  const { api } = await session.sightline();
  const body = said === '-' ? await buffer(process.stdin) : said;
  // Typed paths are for programs; what is typed here is for the service to judge.
  const { response } = await api.request(method as 'get', path as '/api/usage', {
    ...{ body: body as undefined, bodySerializer: (same) => same, parseAs: 'stream' },
    headers: body === undefined ? {} : { 'content-type': flags.type },
  });
  if (response.headers.get('content-type')?.includes('/json')) {
    const answer = await response.json();
    session.tell(answer, () => JSON.stringify(answer, null, 2));
  } else if (response.body) await pipeline(response.body, process.stdout, { end: false });
}
