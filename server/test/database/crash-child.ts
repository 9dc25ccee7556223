/**
 * Process that the crash suite kills: it owns an embedded database, writes to it, and reports each acknowledged write
 * on stdout before the next. `node crash-child.ts DIR MODE TASK [ARGUMENT]`
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { startEmbedded } from '#platform/db/embedded/index';
import { migrate } from '#platform/db/migrate';
import { createLog } from '#platform/log';
import { createLedger, writeLedgerEntry } from './ledger.ts';

const [dir = '', mode = 'own', task = 'idle', argument = ''] = process.argv.slice(2);
// Synchronous, so that it survives the SIGKILL that follows.
const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

try {
  const server = await startEmbedded({ dir, log: createLog('silent'), mode: mode as 'own' | 'share' });
  if (task === 'write') await createLedger(server.connection);
  report({ ready: server.origin });
  if (task === 'migrate') report({ migrated: await migrate(server.connection, pathToFileURL(argument)) });
  if (task === 'write')
    await Promise.all([0, 1, 2, 3].map((writer) => write(server.connection, Number(argument) + writer, 4)));
  if (task === 'once') await server.stop();
  else await sleep(2 ** 30);
} catch (error) {
  report({ refused: (error as Error).message });
  process.exitCode = 1;
}

async function write(connection: pg.ClientConfig, first: number, step: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (let id = first; ; id += step) {
    await writeLedgerEntry(client, id);
    report({ acknowledged: id });
  }
}
