import type { Command } from 'commander';
import { number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type NewKey = { name: string; scopes: string; days?: number; folder?: string };
type Scope = 'read' | 'write' | 'admin';

export function keyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('list, create and revoke API keys');
  keys
    .command('list', { isDefault: true })
    .description('list keys, newest first')
    .action(
      run(async ({ sightline, print }) => {
        const { api } = await sightline();
        const keys = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const { data } = await api.GET('/api/keys', { params: { query: { limit: 1000, cursor } } });
          keys.push(...data!.keys);
          cursor = data!.next_cursor;
        }
        const rows = keys.map((key) => [
          key.key_id,
          key.name,
          key.prefix,
          key.scopes.join(' '),
          key.expires_at.slice(0, 10),
          key.last_used_at?.slice(0, 10) ?? 'never',
          key.status,
        ]);
        print({ keys }, () => table(['id', 'name', 'prefix', 'scopes', 'expires', 'last used', 'status'], rows));
      }),
    );
  keys
    .command('create')
    .description('create a key and print it once')
    .requiredOption('--name <name>', 'name of the key')
    .option('--scopes <scopes>', 'comma-separated: read, write, admin', 'read,write')
    .option('--days <days>', 'days until the key expires', number)
    .option('--folder <id>', 'limit the key to one folder')
    .action(
      run(async ({ sightline, print }, { name, scopes, days, folder }: NewKey) => {
        const { data } = await (await sightline()).api.POST('/api/keys', {
          body: {
            name,
            scopes: scopes.split(',').map((scope) => scope.trim() as Scope),
            expires_in_days: days,
            folder_id: folder,
          },
        });
        print(data, () => data!.key);
      }),
    );
  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key_id>')
    .action(
      run(async ({ sightline, print }, key_id: string) => {
        const { api } = await sightline();
        const { data } = await api.DELETE('/api/keys/{key_id}', { params: { path: { key_id } } });
        print(data, () => `Revoked ${key_id}. It cannot be reactivated.`);
      }),
    );
}
