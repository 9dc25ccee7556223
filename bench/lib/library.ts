import pg from 'pg';
import { newId } from '../../server/src/platform/ids.ts';
import type { BenchmarkService } from './service.ts';

/** Number of videos and folders of a library. */
export type LibrarySize = { videos: number; folders: number };
export type FilledLibrary = {
  /** A video in the middle, and a part of its name that no other name has. */
  middleId: string;
  rareName: string;
};

/**
 * Fills the library of the service's owner. Half of the videos belong to the organization, the other half are personal,
 * in as many folders of each kind; half of each kind is in the folder "Everything".
 */
export async function fillLibrary({ sightline }: BenchmarkService, size: LibrarySize): Promise<FilledLibrary> {
  const owner = (await sightline.accounts.owner())!;
  const pool = new pg.Pool({ ...sightline.database.connection, max: 1 });
  const folderId = newId();
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
  await pool.query('alter table videos disable trigger user');
  for (const part of parts) await pool.query(part.drop);
  await pool.query(
    `insert into videos (id, org_id, owner_id, scope, folder_id, name, source, status, storage_key, size_bytes, duration_s, created_at)
     select ${videoId('n')}, $1, $2, case when n % 2 = 0 then 'user' else 'org' end, case when n % 4 = 1 then $3 end,
       md5(n::text) || '.mp4', 'file', 'UPLOADED', 'none', 1000, 10, to_timestamp((${FIRST_MS} + n * 1000.0) / 1000)
     from generate_series(1, $4::int) n`,
    [owner.orgId, owner.userId, folderId, size.videos],
  );
  for (const part of parts) await pool.query(part.make);
  await pool.query('alter table videos enable trigger user');
  await pool.query('vacuum analyze videos, folders');
  const { rows } = await pool.query(`select ${videoId('$1::bigint')} as id, substr(md5($1::text), 9, 12) as part`, [
    size.videos / 2,
  ]);
  await pool.end();
  return { middleId: rows[0].id, rareName: rows[0].part };
}

const FIRST_MS = Date.UTC(2026, 0, 1);
/** The id of the n-th video in SQL. Like the service's own ids, it starts with its time. */
const videoId = (n: string) => `lpad(to_hex(${FIRST_MS} + ${n} * 1000), 12, '0') || '7' || left(md5((${n})::text), 19)`;
