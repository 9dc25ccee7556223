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
    number,
    name,
    filter: toWire(VersionFilterResource, filter),
    created_at: createdAt.toISOString(),
    missing_videos: missingVideos,
  };
  yield `{"version":${JSON.stringify(facts)},"dataset_metadata":${head.dataset},`;
  if (splits) yield `"splits":${JSON.stringify(toWire(DatasetSplits, splits))},`;
  yield '"batches":[';
  const videos: StoredVideo[] = [];
  let open = -1;
  let comma = '';
  /** Text before the results of the batch at this position. */
  const openBatch = (position: number) => {
    let text = '';
    for (; open < position; open++) {
      text += `${open < 0 ? '' : ']},'}{"batch_metadata":${head.batches[open + 1]},"results":[`;
      comma = '';
    }
    return text;
  };
  /** Text from the end of the results to the clips: batches after the last one with a result, and the videos. */
  const closeBatches = () => {
    const text = openBatch(head.batches.length - 1);
    return `${text}${open < 0 ? ']' : ']}]'},"unanalyzed_videos":${JSON.stringify(toFolders(videos))}`;
  };
  let inClips = false;
  for await (const page of pages) {
    let text = '';
    for (const { batchPosition, isClip, content } of page) {
      if (isClip) {
        text += inClips ? `,${content}` : `${closeBatches()},"clips":[${content}`;
        inClips = true;
      } else if (batchPosition === null) {
        videos.push(JSON.parse(content) as StoredVideo);
      } else {
        text += openBatch(batchPosition) + comma + content;
        comma = ',';
      }
    }
    if (text) yield text;
  }
  if (inClips) yield ']}\n';
  else yield `${closeBatches()}${head.hasClips ? ',"clips":[]' : ''}}\n`;
}

const toFolders = (videos: readonly StoredVideo[]) =>
  [...Map.groupBy(videos, ({ folder_name }) => folder_name)].map(([folder_name, members]) => ({
    folder_name,
    videos: members.map(({ video }) => video),
  }));
