import type { Selectable } from 'kysely';
import type { Database, DB } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { Problem } from '#platform/problem';

export function videosOf(database: Database) {
  const of = (row: Selectable<DB['videos']>) => ({
    ...row,
    orgId: row.org_id,
    ownerId: row.owner_id,
    storageKey: row.storage_key,
    problemMessage: row.problem_message,
    createdAt: row.created_at,
    durationS: row.duration_s,
    frameRate: row.frame_rate,
    sizeBytes: row.size_bytes,
    sourceUri: row.source_uri,
  });
  const all = () => database.db.selectFrom('videos').selectAll().where('deleted_at', 'is', null);
  return {
    async find(id: string) {
      const row = await all().where('id', '=', id).executeTakeFirst();
      return row ? of(row) : null;
    },
    async getMany(caller: Caller, ids: readonly string[]) {
      const rows = (await all().where('id', 'in', ids).execute()).map(of);
      if (rows.length < ids.length)
        throw new Problem({ status: 404, code: 'video_not_found', message: 'There is no video with this id.' });
      if (rows.some((r) => r.orgId !== caller.orgId || (r.scope === 'user' && r.ownerId !== caller.userId)))
        throw new Problem({ status: 403, code: 'video_forbidden', message: 'This video belongs to someone else.' });
      return rows;
    },
    async sourceUris(ids: readonly string[]) {
      return new Map((await all().where('id', 'in', ids).execute()).map((r) => [r.id, r.source_uri]));
    },
  };
}
