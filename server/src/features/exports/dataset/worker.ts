import { join } from 'node:path';
import type { Analyses } from '#features/analyses/index';
import type { Video, Videos } from '#features/videos/index';
import { canRead, reaches } from '#platform/access/index';
import type { Database } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import { inChunks } from '../in-chunks.ts';
import { readSpool, writeSpool } from '../spool.ts';
import * as store from './store.ts';
import type { DatasetExport, ExportedSession, ExportGap } from './types.ts';

export type DatasetExportWorkerDeps = {
  database: Database;
  storage: Storage;
  analyses: Pick<Analyses, 'eventIndex' | 'reviewing'>;
  videos: Pick<Videos, 'find'>;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

/** Prefix of the files of an export. */
export const toFolderKey = (id: string) => `exports/dataset/${id}/`;
export const toSessionKey = (id: string, videoId: string) => `${toFolderKey(id)}${videoId}.mcap`;

/** The person that the export is for, as access rules see them. */
export const principalOf = ({ orgId, ownerId, asAdmin, folderId }: DatasetExport) => ({
  orgId,
  userId: ownerId,
  scopes: asAdmin ? (['admin'] as const) : [],
  folderId: folderId ?? undefined,
});

/** A video of an export, or the reason why its owner gets no file of it. */
export async function findSource(
  videos: Pick<Videos, 'find'>,
  row: DatasetExport,
  videoId: string,
): Promise<{ video: Video } | { reason: ExportGap['reason'] }> {
  const video = await videos.find(videoId);
  if (!video) return { reason: 'video_deleted' };
  const principal = principalOf(row);
  if (!canRead(principal, video) || !reaches(principal, video.folderId)) return { reason: 'video_forbidden' };
  return video.status === 'UPLOADED' ? { video } : { reason: 'video_not_ready' };
}

/**
 * Writes the files of an export, one video after the other; does nothing if it has ended. A repeated attempt writes all
 * of them again, so that they are of one state.
 */
export async function writeDatasetExport(
  deps: DatasetExportWorkerDeps,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, storage, videos } = deps;
  const { db } = database;
  const row = await store.findDatasetExport(db, id);
  if (!row) return;
  const sessions: ExportedSession[] = [];
  const gaps: ExportGap[] = [];
  const missing = new Set(row.eventIds);
  await using folder = await storage.scratch();
  for (const [index, videoId] of row.videoIds.entries()) {
    signal.throwIfAborted();
    if (!(await store.recordProgress(db, id, index))) return;
    const source = await findSource(videos, row, videoId);
    if ('reason' in source) gaps.push({ videoId, eventId: null, reason: source.reason });
    else sessions.push(await writeSession(deps, row, { videoId, folder: folder.path, missing, signal }));
  }
  for (const eventId of missing) gaps.push({ videoId: null, eventId, reason: 'event_deleted' });
  await store.recordProgress(db, id, row.videoIds.length);
  const isCurrent = await store.endDatasetExport(db, id, { sessions, gaps });
  // Deleted while it was written.
  if (!isCurrent) await storage.removeAll(toFolderKey(id));
}

/** Writes the file of one video. Removes its events from `missing`. */
async function writeSession(
  { database, storage, analyses, publicUrl }: DatasetExportWorkerDeps,
  row: DatasetExport,
  { videoId, folder, missing, signal }: { videoId: string; folder: string; missing: Set<string>; signal: AbortSignal },
): Promise<ExportedSession> {
  const path = join(folder, 'events.jsonl');
  const events = row.eventIds.length > 0 ? row.eventIds.map((each) => analyses.reviewing.parseEventId(each)) : null;
  const eventCount = await database.transaction((trx) =>
    writeSpool(path, analyses.eventIndex.stream(trx, principalOf(row), { videoId, events }), { publicUrl, signal }),
  );
  const spooled = readSpool(path);
  for await (const { eventId } of spooled()) missing.delete(eventId);
  const { writeMcap } = await import('../formats/mcap.ts');
  const body = inChunks(writeMcap(spooled), signal);
  const { size, sha256 } = await storage.write(toSessionKey(row.id, videoId), body, { signal });
  return { videoId, eventCount, sizeBytes: size, sha256 };
}
