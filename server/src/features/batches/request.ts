import { problems } from './problems.ts';
import type { QueryRequest } from './schema.ts';

/** The prompt without surrounding space. Throws `query_empty` or `query_too_long` (400). */
export function checkQuery(query: string, maxLength: number): string {
  const text = query.trim();
  if (text === '') throw problems.query_empty();
  if (text.length <= maxLength) return text;
  throw problems.query_too_long(
    `The field \`query\` has ${text.length} characters; at most ${maxLength} are accepted.`,
  );
}

/**
 * The requested videos; empty for those of a library. Throws `videos_missing`, `videos_ambiguous` or `too_many_videos`
 * (400).
 */
export function checkVideoIds(body: QueryRequest, maxVideos: number): readonly string[] {
  const many = body.videoIds ?? [];
  if ([body.videoId, many.length > 0, body.library].filter(Boolean).length > 1) throw problems.videos_ambiguous();
  if (body.library) return [];
  if (body.videoId) return [body.videoId];
  if (many.length === 0) throw problems.videos_missing();
  if (many.length <= maxVideos) return many;
  throw problems.too_many_videos(
    `The field \`video_ids\` has ${many.length} ids; one query takes at most ${maxVideos}.`,
  );
}
