/**
 * Lists of the library at 1,000 and at 1,000,000 videos over HTTP: the cost of a page must not depend on the size. Two
 * services with a database each are queried in turn, so that other load affects both alike.
 * `npm run bench -- library`
 */
import pg from 'pg';
import { encodeCursor } from '../../server/src/platform/http/index.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { interleave, median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 60;
const PAGE = 100;
/** Half of the videos belong to the organization, the other half are personal, in this many folders of each kind. */
const SIZES = {
  small: { videos: 1_000, folders: 100, port: 18_101 },
  large: { videos: 1_000_000, folders: 10_000, port: 18_102 },
};
type Size = (typeof SIZES)['small'];
const MAX_RATIO = 1.3;

export async function run(): Promise<BenchmarkRow[]> {
  await using services = new AsyncDisposableStack();
  const start = async (size: Size) => {
    const service = await startService({ port: size.port });
    services.defer(() => service.stop());
    const started = performance.now();
    const lists = await seed(service, size);
    return { lists, seededS: (performance.now() - started) / 1_000 };
  };
  const [small, large] = [await start(SIZES.small), await start(SIZES.large)];

  const rows: BenchmarkRow[] = [{ name: 'seeding 1,000,000 videos', value: large.seededS, unit: 's' }];
  for (const [name, ask] of Object.entries(large.lists)) {
    const askSmall = small.lists[name]!;
    // The first requests of a kind plan their statements and fill caches.
    for (let i = 0; i < 10; i++) await Promise.all([ask(), askSmall()]);
    const times = await interleave(ROUNDS, { small: () => timed(askSmall), large: () => timed(ask) });
    const [at1000, at1000000] = [median(times.small), median(times.large)];
    const note = `${at1000.toFixed(1)} ms and ${at1000000.toFixed(1)} ms`;
    rows.push({
      name: `${name}: 1,000,000 against 1,000`,
      value: at1000000 / at1000,
      unit: '×',
      bar: { max: MAX_RATIO },
      note,
    });
  }
  return rows;
}

/** Fills the library. Returns the lists to request, as a user who sees their own videos and the organization's. */
async function seed(
  { sightline, baseUrl }: BenchmarkService,
  size: Size,
): Promise<Record<string, () => Promise<void>>> {
  const owner = (await sightline.accounts.owner())!;
  const { key } = await sightline.keys.create({ ...owner, name: 'lists', scopes: ['read'] });
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const folderId = newId();
  // Half of each kind is in one folder; the other folders are small.
  await pool.query(
    `insert into folders (id, org_id, owner_id, created_by, scope, name, video_count)
     select case when n = 1 then $3 else md5(n::text) end, $1, case when n % 2 = 0 then $2 end, $2,
       case when n % 2 = 0 then 'user' else 'org' end, case when n = 1 then 'Everything' else md5(n::text) end, 0
     from generate_series(1, $4::int) n`,
    [owner.orgId, owner.userId, folderId, size.folders],
  );
  // Loads a million rows in seconds instead of minutes: references are checked and indexes built at the end.
  const { rows: parts } = await pool.query(
    `select 'alter table videos drop constraint ' || conname as drop,
       'alter table videos add constraint ' || conname || ' ' || pg_get_constraintdef(oid) as make
     from pg_constraint where conrelid = 'videos'::regclass and contype = 'f'
     union all
     select 'drop index ' || indexname, indexdef from pg_indexes where tablename = 'videos' and indexname <> 'videos_pkey'`,
  );
  await pool.query(`set maintenance_work_mem = '256MB'`);
  for (const part of parts) await pool.query(part.drop);
  await pool.query(
    `insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, size_bytes, duration_s, created_at)
     select ${videoId('n')}, $1, $2, case when n % 2 = 0 then 'user' else 'org' end, case when n % 4 = 1 then $3 end,
       md5(n::text) || '.mp4', 'file', 'UPLOADED', 'none', 1000, 10, to_timestamp((${FIRST_MS} + n * 1000.0) / 1000)
     from generate_series(1, $4::int) n`,
    [owner.orgId, owner.userId, folderId, size.videos],
  );
  for (const part of parts) await pool.query(part.make);
  await pool.query('vacuum analyze videos, folders');
  const { rows } = await pool.query(`select ${videoId('$1::bigint')} as id, substr(md5($1::text), 9, 12) as part`, [
    size.videos / 2,
  ]);
  const rareName: string = rows[0].part;
  await pool.end();

  const middle = encodeCursor(['-created_at', '', rows[0].id]);
  const list = (path: string, count: number) => async () => {
    const response = await fetch(baseUrl + path, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { videos?: unknown[]; folders?: unknown[] };
    const got = (body.videos ?? body.folders)?.length;
    if (got !== count) throw new Error(`${path} answered ${response.status} with ${got} rows`);
  };
  return {
    'my videos, first page': list(`/api/my-videos?limit=${PAGE}`, PAGE),
    'my videos, a page from the middle': list(`/api/my-videos?limit=${PAGE}&cursor=${middle}`, PAGE),
    'my videos of a folder': list(`/api/my-videos?folder=Everything&limit=${PAGE}`, PAGE),
    'search by a part that all names have': list(`/api/videos?name=.mp4&limit=${PAGE}`, PAGE),
    'search by a part that one name has': list(`/api/videos?name=${encodeURIComponent(rareName)}&limit=${PAGE}`, 1),
    'the library by name': list(`/api/videos?sort=name&limit=${PAGE}`, PAGE),
    folders: list(`/api/folders?limit=${PAGE}`, PAGE),
  };
}

const FIRST_MS = Date.UTC(2026, 0, 1);
/** The id of the n-th video in SQL. Like the service's own ids, it starts with its time. */
const videoId = (n: string) => `lpad(to_hex(${FIRST_MS} + ${n} * 1000), 12, '0') || '7' || left(md5((${n})::text), 19)`;
