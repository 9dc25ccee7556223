import { type SqlBool, sql } from 'kysely';
import type { Queryable } from '#platform/db/index';

/** A document that may be read. */
const SHOWN = sql<string | null>`case when not hidden then document end`;

export type BatchDocument = { videoId: string; analysisId: string; document: string | null; sourceUri: string | null };

/** Documents are read together up to so many bytes, compressed as they are stored. */
const READ_AT_ONCE_BYTES = 2 * 2 ** 20;

/** A batch's analyses of the given videos, in the batch's order, with their documents' texts: some at a time, as a document may have megabytes. */
export async function* batchDocuments(
  db: Queryable,
  batchId: string,
  videoIds: readonly string[],
  sourceUri: boolean,
): AsyncGenerator<BatchDocument[]> {
  const sizes = await db
    .selectFrom('analyses')
    .select(['id', sql<number>`coalesce(pg_column_size(document), 0)`.as('bytes')])
    .where('batch_id', '=', batchId)
    .where(sql<SqlBool>`video_id = any(${videoIds}::text[])`)
    .orderBy('position')
    .execute();
  const uri = sourceUri ? sql<string | null>`document #>> '{metadata,import_source_uri}'` : sql<null>`null`;
  for (let next = 0; next < sizes.length; ) {
    const ids: string[] = [];
    for (let bytes = 0; next < sizes.length && bytes < READ_AT_ONCE_BYTES; next++) {
      ids.push(sizes[next]!.id);
      bytes += sizes[next]!.bytes;
    }
    yield await db
      .selectFrom('analyses')
      .select(['video_id as videoId', 'id as analysisId', SHOWN.as('document'), uri.as('sourceUri')])
      .where(sql<SqlBool>`id = any(${ids}::text[])`)
      .orderBy('position')
      .execute();
  }
}

export type BatchAnalysis = {
  videoId: string;
  analysisId: string;
  status: string;
  stage: string | null;
  progress: number;
  problemMessage: string | null;
};

/** A batch's analyses in the batch's order, without documents. */
export async function batchAnalyses(db: Queryable, batchId: string): Promise<BatchAnalysis[]> {
  return db
    .selectFrom('analyses')
    .select([
      'video_id as videoId',
      'id as analysisId',
      'status',
      'stage',
      'progress',
      'problem_message as problemMessage',
    ])
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
}
