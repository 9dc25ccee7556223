import type { VideoStatus } from '@sightline/sdk';

/** Names in the metadata of a video that the service sets; all others are what users added. */
const SERVICE_NAMES = new Set([
  'visual_analysis',
  'chunks_total',
  'chunks_uploaded',
  'chunk_ids',
  'duration_s',
  'parent_video_id',
  'start_time_s',
  'end_time_s',
  'source',
  'source_uri',
  'size_bytes',
  'sha256',
  'width',
  'height',
  'frame_rate',
  'container',
  'video_codec',
  'audio_codec',
  'recorded_at',
  'sidecar',
  'subtitles',
]);

export type MetadataValue = string | number | boolean;

const isValue = (value: unknown): value is MetadataValue => ['string', 'number', 'boolean'].includes(typeof value);

/** The metadata that users added, by name. */
export const userMetadata = ({ metadata }: VideoStatus): [string, MetadataValue][] =>
  Object.entries(metadata).flatMap(([name, value]) =>
    SERVICE_NAMES.has(name) || !isValue(value) ? [] : [[name, value]],
  );

/** A typed value of what was entered: a number or a truth value if it is written like one. */
export function readValue(text: string): MetadataValue {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
}
