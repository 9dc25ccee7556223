import type { Analyses, Approval } from '#features/analyses/index';
import type { BatchSummary } from '#features/batches/index';
import type { Split } from './splits.ts';
import type { RawVideo } from './store.ts';

/** The split of a video; null without splits. */
export type SplitOfVideo = ((videoId: string) => Split) | null;

/** A batch of a download: its metadata, and its documents as JSON text in groups. */
export type DownloadedBatch = {
  metadata: BatchSummary;
  documents: ReturnType<Analyses['streamBatchDocuments']>;
  splitOf: SplitOfVideo;
};

type StoredDocument = {
  video_id: string;
  analysis_id: string;
  filename: string;
  analysis: { status: string; answer?: string; message?: string } & Record<string, unknown>;
  events: { approval: string }[];
};

/** Fields of an analysis with the scope `video` of its schema. */
const VIDEO_FIELDS = [
  'structured_output',
  'structured_output_label',
  'structured_output_version',
  'structured_output_errors',
];

/**
 * The download of a dataset as JSON text in chunks. One group of documents is in memory at a time. With `approval`, it
 * has only events in this review state; `splits` are the settings of the splits, if any.
 */
export async function* downloadJson({
  metadata,
  batches,
  videos,
  approval,
  splits,
  splitOf,
  clips,
}: {
  metadata: object;
  batches: AsyncIterable<DownloadedBatch>;
  videos: readonly RawVideo[];
  approval: Approval | null;
  splits: object | null;
  /** The split of `videos`. */
  splitOf: SplitOfVideo;
  /** Clips in their order, in pages. */
  clips: AsyncIterable<readonly object[]>;
}): AsyncGenerator<string> {
  const settings = splits ? `"splits":${JSON.stringify(splits)},` : '';
  yield `{"dataset_metadata":${JSON.stringify(metadata)},${settings}"batches":[`;
  let beforeBatch = '';
  for await (const batch of batches) {
    yield `${beforeBatch}{"batch_metadata":${JSON.stringify(batch.metadata)},"results":[`;
    let beforeResult = '';
    for await (const group of batch.documents) {
      const texts = group.flatMap(({ document }) =>
        document === null ? [] : toResult(document, approval, batch.splitOf),
      );
      if (texts.length > 0) yield beforeResult + texts.join(',');
      if (texts.length > 0) beforeResult = ',';
    }
    yield ']}';
    beforeBatch = ',';
  }
  yield `],"unanalyzed_videos":${JSON.stringify(toFolders(videos, splitOf))},"clips":[`;
  let beforeClip = '';
  for await (const page of clips) {
    yield beforeClip + page.map((clip) => JSON.stringify(clip)).join(',');
    beforeClip = ',';
  }
  yield ']}';
}

/** The result of an analysis as JSON text: its events in the readable form, which has no evidence. */
function toResult(text: string, approval: Approval | null, splitOf: SplitOfVideo): string {
  const { video_id, analysis_id, filename, analysis, events } = JSON.parse(text) as StoredDocument;
  return JSON.stringify({
    video_id,
    video_name: filename,
    analysis_id,
    ...(splitOf && { split: splitOf(video_id) }),
    status: analysis.status.toLowerCase(),
    answer: analysis.answer ?? null,
    ...Object.fromEntries(VIDEO_FIELDS.filter((name) => name in analysis).map((name) => [name, analysis[name]])),
    events: approval === null ? events : events.filter((event) => event.approval === approval),
  });
}

const toFolders = (videos: readonly RawVideo[], splitOf: SplitOfVideo) =>
  [...Map.groupBy(videos, ({ folderName }) => folderName)].map(([folder_name, members]) => ({
    folder_name,
    videos: members.map(({ id, name }) => ({ video_id: id, filename: name, ...(splitOf && { split: splitOf(id) }) })),
  }));
