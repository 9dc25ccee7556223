import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import type { Run } from '../../types.ts';

export function apiCommand(program: Command, run: Run): void {
  program
    .command('api')
    .description('send any API request and print the response')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'such as `/api/videos?tag=night`; /openapi.json describes all of them')
    .argument('[body]', 'request body; `-` reads stdin')
    .option('--type <type>', 'content type of the body', 'application/json')
    .action(run(request));
}

async function request(
  session: CliSession,
  method: string,
  path: string,
  input?: string,
  flags: { type?: string } = {},
) {
  if (!path.startsWith('/')) throw new Error('The path must start with a slash, such as `/api/usage`.');
  const { api } = await session.sightline();
  const body = input === '-' ? await buffer(process.stdin) : input;
  // The path is not typed: the service validates it.
  const { response } = await api.request(method as 'get', path as '/api/usage', {
    body: body as undefined,
    bodySerializer: (same) => same,
    parseAs: 'stream',
    headers: body === undefined ? {} : { 'content-type': flags.type },
  });
  if (response.headers.get('content-type')?.includes('/json')) {
    const answer = await response.json();
    session.print(answer, () => JSON.stringify(answer, null, 2));
  } else if (response.body) await pipeline(response.body, process.stdout, { end: false });
}
