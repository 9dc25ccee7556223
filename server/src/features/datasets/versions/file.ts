import { toWire } from '#platform/http/index';
import { DatasetSplits } from '../schema.ts';
import { VersionFilterResource } from './schema.ts';
import type { DatasetVersionState, VersionHead, VersionRow } from './types.ts';

type StoredVideo = { folder_name: string | null; video: object };

/**
 * The file of a version as JSON text in chunks, in the form of the download of its dataset. It depends on what was
 * frozen and on which of its videos exist, so it is the same at every download.
 */
export async function* versionJson(
  version: Pick<DatasetVersionState, 'number' | 'name' | 'filter' | 'splits' | 'createdAt' | 'missingVideos'>,
  head: VersionHead,
  pages: AsyncIterable<VersionRow[]>,
): AsyncGenerator<string> {
  const { number, name, filter, splits, createdAt, missingVideos } = version;
  const facts = {
    ...{ number, name, filter: toWire(VersionFilterResource, filter) },
    ...{ created_at: createdAt.toISOString(), missing_videos: missingVideos },
  };
  yield `{"version":${JSON.stringify(facts)},"dataset_metadata":${head.dataset},`;
  if (splits) yield `"splits":${JSON.stringify(toWire(DatasetSplits, splits))},`;
  yield '"batches":[';
  const videos: StoredVideo[] = [];
  let open = -1;
  let comma = '';
  for await (const page of pages) {
    let text = '';
    for (const { batchPosition, content } of page) {
      if (batchPosition === null) {
        videos.push(JSON.parse(content) as StoredVideo);
        continue;
      }
      for (; open < batchPosition; open++) {
        text += `${open < 0 ? '' : ']},'}{"batch_metadata":${head.batches[open + 1]},"results":[`;
        comma = '';
      }
      text += comma + content;
      comma = ',';
    }
    if (text) yield text;
  }
  // Batches after the last one with a result.
  for (; open < head.batches.length - 1; open++) {
    yield `${open < 0 ? '' : ']},'}{"batch_metadata":${head.batches[open + 1]},"results":[`;
  }
  yield open < 0 ? ']' : ']}]';
  const folders = [...Map.groupBy(videos, ({ folder_name }) => folder_name)];
  yield `,"unanalyzed_videos":${JSON.stringify(
    folders.map(([folder_name, members]) => ({ folder_name, videos: members.map(({ video }) => video) })),
  )}}\n`;
}
