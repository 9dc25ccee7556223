import { Type } from 'typebox';
import { Name, Nullable, resource } from '#platform/http/index';
import { WALL_SIZES } from '../wall/types.ts';
import { At, SESSION_ID, Seconds, SessionId, SessionName, StreamId, VIDEO_ID } from './fields.ts';

const MAX_PLACES = 500;

export const RecentEventsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of events; default: 50.' }),
  ),
});

const EVENT_EXAMPLE = {
  event_id: '019a0b1c2d3e7f0080000000000000e1',
  session_id: SESSION_ID,
  stream_id: 'gate-4',
  video_id: VIDEO_ID,
  session_name: 'Gate 4',
  label: 'truck is stopped',
  severity: 'medium',
  confidence: 0.81,
  ongoing: false,
  stream_time: 91.25,
  start_at: '2026-11-21T09:31:32.500Z',
  created_at: '2026-11-21T09:31:35.100Z',
  image_url: `https://video.example/api/live/media/${SESSION_ID}/evidence/019a0b1c2d3e7f0080000000000000e1-0.jpg?token=sx1k2a.Zm9v`,
};

const RecentLiveEvent = resource(
  'RecentLiveEvent',
  Type.Object(
    {
      event_id: Type.String({ description: 'Identifier of the event, as in the session.' }),
      session_id: SessionId,
      stream_id: StreamId,
      video_id: Type.String({ description: 'Identifier of the video of the recording.' }),
      session_name: SessionName,
      label: Type.String({ description: 'What was found.' }),
      severity: Type.String({ description: '`low`, `medium` or `high`.' }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence from 0 to 1.' }),
      ongoing: Type.Boolean({ description: 'True until the end of the event is found.' }),
      stream_time: Seconds('Start of the event in seconds from the first frame of the session, gaps included.'),
      start_at: At('Capture time of its start.'),
      created_at: At('Time at which it was found.'),
      image_url: Nullable(
        Type.String({ description: 'Signed URL of the image that shows it best, with its boxes; valid for a day.' }),
      ),
    },
    { description: 'An event of a running session.', examples: [EVENT_EXAMPLE] },
  ),
);

export const RecentLiveEvents = resource(
  'RecentLiveEvents',
  Type.Object(
    {
      current_time: At('Time of the response, by the clock of the service that capture times are read from.'),
      events: Type.Array(RecentLiveEvent, { description: 'Events of running sessions, the latest found first.' }),
    },
    {
      description: 'The latest events of running sessions.',
      examples: [{ current_time: '2026-11-21T09:31:40.000Z', events: [EVENT_EXAMPLE] }],
    },
  ),
);

export const WallLayout = resource(
  'WallLayout',
  Type.Object(
    {
      size: Type.Union(
        WALL_SIZES.map((size) => Type.Literal(size)),
        { description: 'Number of tiles that are shown at once.' },
      ),
      // Any text: a stream may no longer exist, or another version of the service stored it.
      stream_ids: Type.Array(Name({ maxLength: 128, description: 'Identifier of a stream.' }), {
        maxItems: MAX_PLACES,
        uniqueItems: true,
        description:
          'Streams in the order of their places; a camera has its id. Streams that are not listed follow, by name.',
      }),
    },
    {
      description: 'How you arrange streams on the wall of the console.',
      examples: [{ size: 9, stream_ids: ['gate-4', '019a0b1c2d3e7f008000000000000081'] }],
    },
  ),
);
