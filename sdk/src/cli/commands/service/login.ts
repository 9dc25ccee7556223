import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { createSightline } from '../../../client.ts';
import type { Run } from '../../types.ts';

export function loginCommands(program: Command, run: Run): void {
  program
    .command('login')
    .description(
      'try a key and keep it with the address of its service; SIGHTLINE_API_KEY, a line on stdin, or a question gives it',
    )
    .option('--url <url>', 'URL of the service')
    .action(
      run(async ({ env, state, resolveUrl, print }, options: { url?: string }) => {
        const url = await resolveUrl(options.url);
        const key = env.SIGHTLINE_API_KEY ?? (await askForKey());
        const { data } = await createSightline({ baseUrl: url, apiKey: key }).api.POST('/api/keys/verify', {});
        await state.saveLogin({ url, key });
        print(data, () => `Logged in at ${url} as ${data!.email}. The key may: ${data!.scope.join(', ')}.`);
      }),
    );
  program
    .command('logout')
    .description('delete the stored key')
    .action(
      run(async ({ state, print }) => {
        await state.deleteLogin();
        print({ logged_out: true }, () => 'Logged out.');
      }),
    );
}

/** Reads a line without echo. */
async function askForKey(): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  if (stdin.isTTY) stderr.write('API key: ');
  for await (const line of lines) {
    if (stdin.isTTY) stderr.write('\n');
    return line.trim();
  }
  throw new Error('No key is given. Set SIGHTLINE_API_KEY, or write it to stdin.');
}
