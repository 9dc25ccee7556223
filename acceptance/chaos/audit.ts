import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as PgClient } from 'pg';
import { withEmbeddedDatabase } from '../../server/test/database/embedded.ts';
import { readEvents } from '../harness/answers.ts';
import { KEY, storedFiles } from '../harness/service.ts';
import type { Client } from './client.ts';
import type { Ledger } from './workload.ts';

/** Everything that is wrong; each list is empty in a healthy service. */
export type Findings = { stuck: string[]; lost: string[]; doubled: string[]; failed: string[]; orphanFiles: string[] };

const SETTLE_MS = 150_000;

/** Unfinished work by kind, except pg-boss rows that are scheduled for later. */
const UNDER_WAY = {
  'video in preparation': `select id from videos where status = 'PREPARE_IN_PROGRESS' and deleted_at is null`,
  'analysis in progress': `select id from analyses where status = 'PROCESSING'`,
  'batch in progress': `select id from batches where status = 'processing'`,
  'import in progress': `select id from import_jobs where status = 'importing'`,
  'import row in progress': `select video_id as id from import_rows where status = 'PROCESSING'`,
  'live session in progress': `select id from live_sessions where status in ('INITIALIZING', 'ACTIVE', 'ENDING')`,
  'live analysis in progress': `select session_id as id from live_analyses where ended_at is null`,
  'observation in progress': `select video_id || ' ' || kind as id from observations where status = 'running' and lease_until > now()`,
  'request under its key': `select key as id from idempotency_keys where status is null`,
  job: `select name || ' ' || id as id from pgboss.job where state in ('created', 'retry', 'active') and start_after < now() + interval '1 minute' and name not like '\\_\\_%'`,
};

/**
 * Storage keys that rows reference. Keys in the folder of a video or an analysis belong to the row that the folder is
 * named after.
 */
const REFERENCED = `select storage_key as key from contents union select storage_key from observations
  union select storage_key from live_segments union select storage_key from videos where deleted_at is null`;

/** Waits until all work is finished, then compares the service's contents with what it acknowledged. */
export async function audit(
  dataDir: string,
  client: Client,
  urls: readonly string[],
  ledger: Ledger,
): Promise<Findings> {
  const stuck = await settle(dataDir);
  const findings: Findings = { stuck, lost: [], doubled: [], failed: [], orphanFiles: [] };
  await withEmbeddedDatabase(dataDir, async (database) => {
    await auditVideos(database, ledger, findings);
    await auditCounts(database, ledger, findings);
    await auditLive(database, findings);
    await auditRecorded(database, findings);
    await auditFiles(dataDir, database, findings);
  });
  for (const [name, id] of ledger.folders) {
    const { json } = await client.acknowledged('GET', `/api/folders/get?name=${encodeURIComponent(name)}&scope=org`);
    if (json.id !== id) findings.lost.push(`folder ${name}`);
  }
  for (const { streamId } of ledger.queries) await auditStream(urls[0]!, streamId, findings);
  return findings;
}

async function settle(dataDir: string): Promise<string[]> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const left = await withEmbeddedDatabase(dataDir, underWay).catch((error: Error) => [String(error)]);
    if (left.length === 0 || performance.now() > end) return left;
    await sleep(500);
  }
}

async function underWay(database: PgClient): Promise<string[]> {
  const left: string[] = [];
  for (const [kind, statement] of Object.entries(UNDER_WAY)) {
    const { rows } = await database.query<{ id: string }>(statement);
    left.push(...rows.map(({ id }) => `${kind}: ${id}`));
  }
  return left;
}

async function auditVideos(database: PgClient, ledger: Ledger, { lost, doubled, failed }: Findings): Promise<void> {
  const { rows } = await database.query<{
    id: string;
    name: string;
    status: string;
    sha256: string;
    problem_message: string;
  }>(
    `select id, name, status, sha256, problem_message from videos
     where deleted_at is null and scope <> 'sample' and source <> 'live'`,
  );
  const byName = Map.groupBy(rows, ({ name }) => name);
  for (const [name, { id, sha256 }] of ledger.videos) {
    const found = byName.get(name) ?? [];
    if (found.length === 0) lost.push(`video ${name} ${id}`);
    if (found.length > 1)
      doubled.push(`video ${name}: ${found.map((video) => `${video.id} ${video.status}`).join(', ')}`);
    if (id !== '' && !found.some((video) => video.id === id))
      lost.push(`video ${name}, which has another id than was acknowledged`);
    for (const video of found) {
      if (video.status !== 'UPLOADED') failed.push(`video ${name}: ${video.problem_message}`);
      else if (video.sha256 !== sha256) failed.push(`video ${name} has other bytes`);
    }
    byName.delete(name);
  }
  doubled.push(
    ...[...byName.values()].flat().map(({ name, status }) => `video ${name} (${status}), which nobody sent`),
  );
}

async function auditCounts(database: PgClient, ledger: Ledger, findings: Findings): Promise<void> {
  const count = async (statement: string) => Number((await database.query(statement)).rows[0].count);
  const expected: [string, string, number][] = [
    ['import jobs', 'select count(*) from import_jobs', ledger.imports.length],
    ['import rows', 'select count(*) from import_rows', ledger.imports.flatMap(({ names }) => names).length],
    ['batches', 'select count(*) from batches', ledger.queries.length],
    ['analyses', `select count(*) from analyses where batch_id is not null`, ledger.queries.length],
    ['live sessions', 'select count(*) from live_sessions', ledger.sessions.length],
    ['folders', `select count(*) from folders where name like 'folder %'`, ledger.folders.size],
  ];
  for (const [what, statement, acknowledged] of expected) {
    const there = await count(statement);
    if (there < acknowledged) findings.lost.push(`${what}: ${there} of ${acknowledged}`);
    if (there > acknowledged) findings.doubled.push(`${what}: ${there} for ${acknowledged}`);
  }
  const { rows } = await database.query<{ id: string; why: string }>(
    `select id, problem_message as why from analyses
     where status <> 'COMPLETED' or (batch_id is not null and json_array_length(events) <> 1)
     union all select id, problem_message from import_jobs where status <> 'completed'`,
  );
  findings.failed.push(...rows.map(({ id, why }) => `analysis or import ${id}: ${why}`));
}

/** The answer of a session is an analysis of each of its recordings, once. */
async function auditRecorded(database: PgClient, { lost, doubled }: Findings): Promise<void> {
  const { rows } = await database.query<{ id: string; analyses: number }>(
    `select v.id, count(a.id)::int as analyses from videos v left join analyses a on a.video_id = v.id
     where v.source = 'live' and v.status = 'UPLOADED' and v.deleted_at is null group by v.id`,
  );
  for (const { id, analyses } of rows) {
    if (analyses === 0) lost.push(`analysis of recording ${id}`);
    if (analyses > 1) doubled.push(`analyses of recording ${id}: ${analyses}`);
  }
}

/** A session's recording and its gaps together must cover the time from its first frame to its end. */
async function auditLive(database: PgClient, { lost, failed }: Findings): Promise<void> {
  const { rows } = await database.query(
    `select s.id, s.status, s.problem_message as why, s.segment_count as segments,
       (select count(*) from live_segments g where g.session_id = s.id)::int as stored,
       (select count(*) from live_segments g where g.session_id = s.id and g.recording_offset is null)::int as loose,
       coalesce((select sum(duration_s) from live_segments g where g.session_id = s.id), 0) as recorded_s,
       coalesce((select sum(extract(epoch from until_at - from_at)) from live_gaps g where g.session_id = s.id), 0)::float as gaps_s,
       coalesce(extract(epoch from (select max(captured_at + duration_s * interval '1 second') from live_segments g where g.session_id = s.id)
         - (select min(captured_at) from live_segments g where g.session_id = s.id)), 0)::float as span_s,
       (select count(*) from videos v where v.id = s.video_id and v.status = 'UPLOADED')::int as videos
     from live_sessions s`,
  );
  for (const session of rows) {
    const name = `live session ${session.id}`;
    if (session.status !== 'FINISHED') failed.push(`${name}: ${session.status}, ${session.why}`);
    if (session.stored !== session.segments) lost.push(`${name}: ${session.stored} of ${session.segments} segments`);
    if (session.loose > 0 || (session.segments > 0 && session.videos !== 1))
      lost.push(`${name}: its recording is not a video`);
    if (session.recorded_s + session.gaps_s < session.span_s - 2) {
      lost.push(`${name}: ${session.recorded_s} s recorded and ${session.gaps_s} s of gaps in ${session.span_s} s`);
    }
  }
}

async function auditFiles(dataDir: string, database: PgClient, { lost, orphanFiles }: Findings): Promise<void> {
  const column = async (statement: string) =>
    (await database.query<{ key: string }>(statement)).rows.map(({ key }) => key);
  const referenced = new Set(await column(REFERENCED));
  const owners = new Set(await column('select id as key from videos union select id from analyses'));
  const files = await storedFiles({ dataDir });
  for (const file of files) {
    const [folder, owner] = file.split('/');
    const owned = (folder === 'videos' || folder === 'analyses') && owners.has(owner!);
    if (!owned && !referenced.has(file)) orphanFiles.push(file);
  }
  const there = new Set(files);
  const needed = await column(
    `select storage_key as key from contents union select storage_key from observations where status = 'ready'
     union select storage_key from videos where status = 'UPLOADED' and deleted_at is null and scope <> 'sample'`,
  );
  lost.push(...needed.filter((key) => !there.has(key)).map((key) => `file ${key}`));
}

/** A query's events, read from the first one, must have no gap and end with `done`. */
async function auditStream(url: string, streamId: string, { lost }: Findings): Promise<void> {
  const response = await fetch(`${url}/api/router/v2/query/events/${streamId}`, {
    headers: { 'x-api-key': KEY },
    signal: AbortSignal.timeout(30_000),
  });
  const events = await Array.fromAsync(readEvents(response));
  const whole = events.every(({ id }, i) => id === i + 1);
  if (!whole || events.at(-1)?.kind !== 'done') lost.push(`events of stream ${streamId}`);
}
