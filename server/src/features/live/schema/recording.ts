import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';
import { At, SESSION_ID, Seconds, VIDEO_ID } from './fields.ts';

/** Number of chunks in a session response: the last ones. */
export const MAX_CHUNKS = 100;

export const CHUNK_EXAMPLE = {
  chunk_id: `${SESSION_ID}-0`,
  chunk_index: 0,
  stream_time: 0,
  hls_cumulative_offset: 0,
  duration_s: 2,
  capture_time: '2026-11-21T09:30:01.250Z',
  size_bytes: 524_288,
  discontinuity: false,
};

export const LiveChunk = resource(
  'LiveChunk',
  Type.Object(
    {
      chunk_id: Type.String({ description: 'Identifier of the chunk.' }),
      chunk_index: Type.Integer({ minimum: 0, description: 'Index of the chunk, from 0.' }),
      stream_time: Seconds('Start in seconds from the first frame of the session, gaps included.'),
      hls_cumulative_offset: Seconds('Start in the recording in seconds, gaps excluded.'),
      duration_s: Seconds('Duration in seconds.'),
      capture_time: At('Capture time of the first frame, as stated by the source, else its time of arrival.'),
      size_bytes: Type.Integer({ minimum: 0, description: 'Size in bytes.' }),
      discontinuity: Type.Boolean({ description: 'True if there is a gap or a change of format before the chunk.' }),
    },
    {
      additionalProperties: true,
      description: 'A chunk: a few seconds that start with a keyframe.',
      examples: [CHUNK_EXAMPLE],
    },
  ),
);

/** Number of retained ranges in a session response: the newest ones. */
export const MAX_RETAINED_SPANS = 1_000;

export const RETAINED_SPAN_EXAMPLE = {
  start_at: '2026-11-21T09:40:00.000Z',
  from_s: 598.75,
  until_s: 624.75,
  event_count: 1,
  video_id: VIDEO_ID,
  video_from_s: 32,
};

export const LiveRetainedSpan = resource(
  'LiveRetainedSpan',
  Type.Object(
    {
      start_at: At('Capture time of its first frame.'),
      from_s: Seconds('Start in seconds from the first frame of the session.'),
      until_s: Seconds('End in the same seconds.'),
      event_count: Type.Integer({
        minimum: 0,
        description: 'Events in it. 0: before and after an event, or the query could not be answered for it.',
      }),
      video_id: Nullable(Type.String({ description: 'Video that contains it; null until that is complete.' })),
      video_from_s: Nullable(Seconds('Its start in that video in seconds.')),
    },
    { description: 'A range of a session that is retained around events.', examples: [RETAINED_SPAN_EXAMPLE] },
  ),
);

export const LiveGap = resource(
  'LiveGap',
  Type.Object(
    {
      chunk_index: Type.Integer({
        minimum: 0,
        description: 'Index of the chunk after the gap; for a gap at the end of the session, the number of chunks.',
      }),
      from: At('Start of the gap.'),
      until: At('End of the gap.'),
      from_s: Seconds('Start in seconds from the first frame of the session.'),
      until_s: Seconds('End in the same seconds.'),
      reason: Type.String({ description: 'Reason why nothing was recorded.' }),
    },
    {
      description: 'A gap in the recording.',
      examples: [
        {
          chunk_index: 12,
          from: '2026-11-21T09:31:00.000Z',
          until: '2026-11-21T09:31:04.500Z',
          from_s: 58.75,
          until_s: 63.25,
          reason: 'The connection to the source was lost.',
        },
      ],
    },
  ),
);
