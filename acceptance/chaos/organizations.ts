import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, prefixOf } from '../../server/src/features/keys/token.ts';
import { withEmbeddedDatabase } from '../../server/test/database/embedded.ts';
import type { Client } from './client.ts';

/** Adds an organization with a user to the database of a running service. Returns the user's key. */
export async function addOrganization(dataDir: string): Promise<string> {
  const key = `sk_${createHash('sha256').update(randomUUID()).digest('hex')}`;
  const [orgId, userId] = [randomUUID(), randomUUID()];
  await withEmbeddedDatabase(dataDir, async (database) => {
    await database.query('insert into organizations (id, name) values ($1, $2)', [orgId, 'Other']);
    await database.query(`insert into users (id, org_id, email, name, role) values ($1, $2, $3, 'Other', 'owner')`, [
      userId,
      orgId,
      'other@localhost',
    ]);
    await database.query(
      `insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, expires_at)
      values ($1, $2, $3, 'chaos', $4, $5, '{read,write}', now() + interval '1 day')`,
      [randomUUID(), orgId, userId, prefixOf(key), digestOf(key)],
    );
  });
  return key;
}

/** Uploads a video. Returns its id. */
export async function upload(client: Client, bytes: Buffer, name: string): Promise<string> {
  const form = () => {
    const data = new FormData();
    data.set('source', 'file');
    data.set('file', new File([new Uint8Array(bytes)], name, { type: 'video/mp4' }));
    return data;
  };
  return String((await client.acknowledged('POST', '/api/upload-video', { form })).json.video_id);
}

/** Starts a query that observes every frame. Returns the id of the batch. */
export async function startQuery(client: Client, query: string, videoIds: readonly string[]): Promise<string> {
  const json = { query, video_ids: videoIds, mode: 'thinking' };
  return String((await client.acknowledged('POST', '/api/router/v2/query/start', { json })).json.batch_id);
}

/** Rows of a query of the service's database; none while the database restarts. */
export const rowsOf = <Row extends object>(dataDir: string, query: string, values: unknown[] = []): Promise<Row[]> =>
  withEmbeddedDatabase(dataDir, async (database) => (await database.query(query, values)).rows as Row[]).catch(
    () => [],
  );

/** Waits until a query returns rows. */
export async function waitForRows<Row extends object>(
  dataDir: string,
  query: string,
  values: unknown[],
  timeoutMs: number,
): Promise<Row[]> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const rows = await rowsOf<Row>(dataDir, query, values);
    if (rows.length > 0) return rows;
    if (performance.now() > end) throw new Error(`no rows after ${timeoutMs / 1000} s: ${query} ${values}`);
    await sleep(200);
  }
}
