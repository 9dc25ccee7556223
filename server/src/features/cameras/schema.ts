import { Type } from 'typebox';
import { PostRoll, PreRoll, Recording, SourceUrl } from '#features/live/index';
import { Maybe, Name, Nullable, PatternString, resource, signature, Timestamp } from '#platform/http/index';
import { REFUSAL_CODES } from './refusals.ts';
import { WEEKDAYS } from './schedule.ts';
import { CAMERA_STATES, FAULT_KINDS, RECENT_FAULTS } from './types.ts';

const ID = '019a0b1c2d3e7f008000000000000081';
const SESSION_ID = '019a0b1c2d3e7f008000000000000070';
const USER_ID = '019a0b1c2d3e7f008000000000000001';
const SNAPSHOT_URL = `https://video.example/api/cameras/media/${ID}/snapshot.jpg?token=sx1k2a.Zm9v`;

const At = (description: string) => Timestamp({ description });
const CameraName = Name({ maxLength: 255, description: 'Name of the camera.' });
const FolderId = (description: string) => Type.String({ maxLength: 255, description });
const Enabled = Type.Boolean({ description: 'True: recorded as long as its source can be reached; false: off.' });

const TIME = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
const Time = (description: string) => PatternString(TIME, 'a time of day from 00:00 to 23:59', { description });
const QUESTION_ID = '019a0b1c2d3e7f008000000000000051';

const ScheduleEntry = resource(
  'CameraScheduleEntry',
  Type.Object(
    {
      days: Type.Array(
        Type.Union(
          WEEKDAYS.map((day) => Type.Literal(day)),
          { description: 'A day of the week.' },
        ),
        { minItems: 1, maxItems: 7, description: 'Days on which the interval starts.' },
      ),
      from: Time('Local time at which it starts, `HH:MM`.'),
      to: Time('Local time at which it ends. If it is not after `from`, the interval ends on the next day.'),
      analyze: Type.Boolean({ description: 'True: the questions are answered; false: the camera is only recorded.' }),
    },
    {
      description: 'Weekly times at which a camera is recorded.',
      examples: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '06:00', to: '22:00', analyze: true }],
    },
  ),
);
const Schedule = Type.Array(ScheduleEntry, {
  maxItems: 50,
  description:
    'Weekly times in the time zone of the camera at which it is recorded while it is on. Where intervals overlap, the questions are answered. Null: always recorded and analyzed.',
});
const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'Time zone of the place: an IANA name, or an offset such as `+01:00`. Recordings have it, and the schedule is in it. Null: unknown, and UTC for the schedule.',
});
const MutedUntil = At('Until then, events of the camera raise no alerts. Null: not muted.');
const QuestionIds = Type.Array(Type.String({ maxLength: 255, description: 'Identifier of a saved question.' }), {
  maxItems: 50,
  description:
    'Saved questions that are answered while the camera is recorded. They raise alerts by their rules, and do not run again on its recordings.',
});

const Retention = resource(
  'CameraRetention',
  Type.Object(
    {
      days: Maybe(
        Type.Integer({ minimum: 1, maximum: 36_500, description: 'Days after their end; null: at any age.' }),
      ),
      bytes: Maybe(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Size of all recordings of the camera together, in bytes; null: of any size.',
        }),
      ),
      keep_approved: Maybe(
        Type.Boolean({
          description: 'True (default): recordings with an approved event stay. They count in `bytes`.',
        }),
      ),
    },
    {
      description:
        'Which recordings of a camera are deleted: those that ended `days` ago, and the oldest while all together have more than `bytes`. They can be restored for a while, and a restored recording stays.',
      examples: [{ days: 30, bytes: 1_500_000_000_000, keep_approved: true }],
    },
  ),
);

export const CameraParams = Type.Object({
  camera_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the camera.' }),
});
export const SnapshotQuery = Type.Object(signature);

export const CameraListQuery = Type.Object({
  folder_id: Maybe(FolderId('Only cameras of this folder.')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of cameras; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const NewCamera = resource(
  'NewCamera',
  Type.Object(
    {
      name: CameraName,
      source: Maybe(
        Type.Union([Type.Literal('pull'), Type.Literal('push')], {
          description:
            '`pull` (default): the service connects to `source_url`. `push`: the camera, or its encoder, publishes to the service by RTMP, with a key of its own (`POST /api/cameras/{camera_id}/key`); it has no `source_url`.',
        }),
      ),
      source_url: Maybe(SourceUrl),
      folder_id: Maybe(FolderId('Folder of the camera and of its recordings.')),
      scope: Maybe(
        Type.Union([Type.Literal('user'), Type.Literal('org')], {
          description:
            '`user` (default): you can access the camera and its recordings; `org`: everyone in the organization can. In a folder, the scope is that of the folder.',
        }),
      ),
      enabled: Maybe(Enabled),
      time_zone: Maybe(TimeZone),
      schedule: Maybe(Schedule),
      muted_until: Maybe(MutedUntil),
      retention: Maybe(Retention),
      recording: Maybe(Recording),
      pre_roll_s: Maybe(PreRoll),
      post_roll_s: Maybe(PostRoll),
      saved_question_ids: Maybe(QuestionIds),
    },
    {
      description:
        'A camera to add. It is on unless `enabled` is false, and recorded continuously unless `recording` is `events`: then 5 seconds before and 10 seconds after each event are retained by default.',
      examples: [
        { name: 'Loading bay 2', source_url: 'rtsp://viewer:secret@camera.example/ch1' },
        { name: 'Excavator', source: 'push' },
      ],
    },
  ),
);

export const CameraChange = resource(
  'CameraChange',
  Type.Object(
    {
      name: Maybe(CameraName),
      source_url: Maybe(SourceUrl),
      folder_id: Maybe(FolderId('Folder of its next recordings; empty: none.')),
      enabled: Maybe(Enabled),
      time_zone: Maybe(TimeZone),
      schedule: Maybe(Schedule),
      muted_until: Maybe(MutedUntil),
      retention: Maybe(Retention),
      recording: Maybe(Recording),
      pre_roll_s: Maybe(PreRoll),
      post_roll_s: Maybe(PostRoll),
      saved_question_ids: Maybe(QuestionIds),
    },
    {
      description:
        'Settings to change; others stay as they are. Null removes a time zone, a schedule, a retention and `muted_until`. A new `source_url` replaces its credentials, too.',
      examples: [{ enabled: false }],
    },
  ),
);

const State = Type.Union(
  CAMERA_STATES.map((state) => Type.Literal(state)),
  {
    description:
      '`off`: not recorded; `off_by_schedule`: on, but not at this time of the week; `starting`: no frame has arrived yet; `live`: frames arrive; `offline`: no frames arrive, and the service tries again; `stopping`: off, and the last recording is being finished.',
  },
);

const FaultKind = Type.Union(
  FAULT_KINDS.map((kind) => Type.Literal(kind)),
  {
    description:
      '`offline`: nothing has arrived for half a minute; `black`: the picture is black; `frozen`: it does not change at all.',
  },
);

const PushUrl = Nullable(
  Type.String({
    description:
      'URL that the encoder publishes to, without the key (the stream name, or stream key). Null: this service does not receive RTMP; its operator switches that on with SIGHTLINE_RTMP_LISTEN.',
  }),
);

const Push = Type.Object(
  {
    url: PushUrl,
    has_key: Type.Boolean({ description: 'True if a key was created. It is shown only then.' }),
    publishing: Type.Boolean({ description: 'True while an encoder publishes.' }),
    remote: Nullable(Type.String({ description: 'Address of that encoder, as the service sees it.' })),
    connected_at: Nullable(At('Since when it publishes.')),
    refused_at: Nullable(At('The last time that an encoder with the key was refused or disconnected by the service.')),
    refused_code: Nullable(
      Type.Union(
        REFUSAL_CODES.map((code) => Type.Literal(code)),
        {
          description:
            'The reason of that: `off`: the camera is off; `off_by_schedule`: its schedule does not include the time; `busy`: another encoder publishes with the key.',
        },
      ),
    ),
    refused_reason: Nullable(
      Type.String({
        description: 'The reason as a sentence, with the address of the second encoder if there are two.',
      }),
    ),
  },
  { description: 'A camera that pushes: where to, and what arrives. Null for other cameras.' },
);

const CAMERA_EXAMPLE = {
  camera_id: ID,
  name: 'Loading bay 2',
  source_url: 'rtsp://camera.example/ch1',
  has_credentials: true,
  source: 'pull' as const,
  push: null,
  folder_id: null,
  folder_name: null,
  scope: 'org' as const,
  enabled: true,
  state: 'live' as const,
  mode: 'analyze' as const,
  next_change_at: null,
  time_zone: 'Europe/Berlin',
  schedule: null,
  muted_until: null,
  retention: { days: 30, bytes: null, keep_approved: true },
  recording: 'events' as const,
  pre_roll_s: 5,
  post_roll_s: 10,
  questions: [{ saved_question_id: QUESTION_ID, name: 'Trucks at the gate', active: true }],
  error: null,
  message: null,
  offline_since: null,
  retry_at: null,
  session_id: SESSION_ID,
  video_id: '019a0b1c2d3e7f008000000000000071',
  started_at: '2026-11-21T09:30:01.250Z',
  event_count: 3,
  session_recording: 'events' as const,
  duration_s: 18_124,
  retained_s: 130,
  discarded_s: 17_860,
  last_frame_at: '2026-11-21T14:32:06.000Z',
  bitrate: 3_800_000,
  interruption_count: 2,
  lost_s: 41.5,
  fault: null,
  recent_faults: [
    {
      kind: 'offline' as const,
      from: '2026-11-21T11:02:10.000Z',
      until: '2026-11-21T11:04:45.500Z',
      message: 'The source closed the connection.',
    },
  ],
  snapshot_url: SNAPSHOT_URL,
  created_by: USER_ID,
  created_by_display_name: 'Ada',
  created_at: '2026-11-21T09:30:00.000Z',
  changed_at: '2026-11-21T09:30:00.000Z',
};

export const CameraResource = resource(
  'Camera',
  Type.Object(
    {
      camera_id: Type.String({ description: 'Identifier of the camera, and the `stream_id` of its sessions.' }),
      name: Type.String({ description: 'Name of the camera.' }),
      source: Type.Union([Type.Literal('pull'), Type.Literal('push')], {
        description: '`pull`: the service connects to the camera; `push`: an encoder publishes to the service.',
      }),
      source_url: Type.String({
        description: 'URL of the source, without credentials; `push://` and its id for a camera that pushes.',
      }),
      push: Nullable(Push),
      has_credentials: Type.Boolean({
        description: 'True if the URL contains credentials, which are stored encrypted and never returned.',
      }),
      folder_id: Nullable(Type.String({ description: 'Folder of the camera and of its recordings.' })),
      folder_name: Nullable(Type.String({ description: 'Name of the folder.' })),
      scope: Type.Union([Type.Literal('user'), Type.Literal('org')], {
        description: '`user`: visible to its owner and to admins; `org`: visible to everyone in the organization.',
      }),
      enabled: Enabled,
      state: State,
      mode: Type.Union([Type.Literal('analyze'), Type.Literal('record'), Type.Literal('off')], {
        description: 'What its settings and its schedule want now: record and analyze, only record, or neither.',
      }),
      next_change_at: Nullable(At('Next time at which its schedule changes `mode`; null if it does not.')),
      time_zone: Nullable(TimeZone),
      schedule: Nullable(Schedule),
      muted_until: Nullable(MutedUntil),
      retention: Nullable(Retention),
      recording: Recording,
      pre_roll_s: PreRoll,
      post_roll_s: PostRoll,
      questions: Type.Array(
        Type.Object({
          saved_question_id: Type.String({ description: 'Identifier of the saved question.' }),
          name: Type.String({ description: 'Its name.' }),
          active: Type.Boolean({ description: 'False if it is paused, or its owner has left.' }),
        }),
        { description: 'Saved questions that its sessions answer, oldest first.' },
      ),
      error: Nullable(Type.String({ description: 'Error code, while it is offline.' })),
      message: Nullable(Type.String({ description: 'The same error as a sentence.' })),
      offline_since: Nullable(At('Time of the last frame before it went offline, or of the first failed attempt.')),
      retry_at: Nullable(At('Time of the next attempt; null while the service tries, or if none is due.')),
      session_id: Nullable(
        Type.String({ description: 'Its newest live session, which runs unless the camera is off or offline.' }),
      ),
      video_id: Nullable(Type.String({ description: 'Video that the recording of that session becomes.' })),
      started_at: Nullable(At('Time of the first frame of that session.')),
      event_count: Type.Integer({ minimum: 0, description: 'Number of events of that session so far.' }),
      session_recording: Nullable(
        Type.Union(Recording.anyOf, {
          description: 'How that session is recorded: without questions, `continuous` whatever `recording` is.',
        }),
      ),
      duration_s: Type.Number({ minimum: 0, description: 'Seconds that were received in that session.' }),
      retained_s: Type.Number({
        minimum: 0,
        description: 'Of these, the seconds that are retained around events; 0 for a continuous recording.',
      }),
      discarded_s: Type.Number({
        minimum: 0,
        description: 'Of these, the seconds that are not retained. The rest is not decided yet.',
      }),
      last_frame_at: Nullable(At('Time of its newest recorded frame.')),
      bitrate: Nullable(
        Type.Number({ minimum: 0, description: 'Bits per second of about the last minute; null unless it is live.' }),
      ),
      interruption_count: Type.Integer({
        minimum: 0,
        description: 'Interruptions of its sessions in the last 24 hours after which recording continued.',
      }),
      lost_s: Type.Number({ minimum: 0, description: 'Length of these interruptions together, in seconds.' }),
      fault: Nullable(
        Type.Object(
          {
            kind: FaultKind,
            since: At('Start of the fault, by the time of its frames.'),
            message: Nullable(Type.String({ description: 'The reason why it is offline.' })),
          },
          { description: 'What is wrong with the camera now, while it is on.' },
        ),
      ),
      recent_faults: Type.Array(
        Type.Object(
          {
            kind: FaultKind,
            from: At('Start of the fault, by the time of its frames.'),
            until: Nullable(At('Its end; null: it lasts.')),
            message: Nullable(Type.String({ description: 'The reason why the camera was offline.' })),
          },
          { description: 'A fault of the camera.' },
        ),
        { description: `The newest ${RECENT_FAULTS} faults, newest first.` },
      ),
      snapshot_url: Nullable(
        Type.String({
          description:
            'Signed URL of an image that needs no key, valid for an hour: its newest frame while it is recorded, or the image of the last connection test.',
        }),
      ),
      created_by: Type.String({ description: 'The user who added it.' }),
      created_by_display_name: Type.String({ description: 'Name of that user.' }),
      created_at: At('Creation time, ISO 8601, UTC.'),
      changed_at: At('Time of the latest change of its settings.'),
    },
    { description: 'A camera.', examples: [CAMERA_EXAMPLE] },
  ),
);

export const CameraList = resource(
  'CameraList',
  Type.Object(
    {
      cameras: Type.Array(CameraResource, { description: 'Cameras, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more cameras follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of cameras.',
      examples: [{ cameras: [CAMERA_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const CameraKey = resource(
  'CameraKey',
  Type.Object(
    {
      camera_id: Type.String({ description: 'Identifier of the camera.' }),
      push_url: PushUrl,
      push_key: Type.String({ description: 'The key, which is shown only once.' }),
    },
    {
      description: 'The new key of a camera that pushes.',
      examples: [
        {
          camera_id: ID,
          push_url: 'rtmp://video.example:1935/live',
          push_key: 'pk_5d1f0a4be29c7788a3f061c2d4e5b6978a9bacbdcedfe0f1',
        },
      ],
    },
  ),
);

export const DeletedCamera = resource(
  'DeletedCamera',
  Type.Object(
    {
      status: Type.Literal('deleted'),
      camera_id: Type.String({ description: 'Identifier of the deleted camera.' }),
    },
    { description: 'A deleted camera.', examples: [{ status: 'deleted', camera_id: ID }] },
  ),
);

export const CameraSource = resource(
  'CameraSource',
  Type.Object(
    { source_url: SourceUrl },
    { description: 'A source to test.', examples: [{ source_url: 'rtsp://viewer:secret@camera.example/ch1' }] },
  ),
);

const Step = Type.Object(
  {
    step: Type.Union(
      [Type.Literal('port'), Type.Literal('sign_in'), Type.Literal('first_frame'), Type.Literal('format')],
      {
        description:
          '`port`: a connection was opened; `sign_in`: the credentials were accepted; `first_frame`: a frame arrived; `format`: it can be decoded.',
      },
    ),
    ok: Type.Boolean({ description: 'True if the step was passed.' }),
    elapsed_ms: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Milliseconds from the start of the test until then; null if it is not known.',
      }),
    ),
  },
  { description: 'A step of a connection test.' },
);

const Format = Type.Object(
  {
    video_codec: Type.String({ description: 'Codec of the video.' }),
    width: Type.Integer({ description: 'Width in pixels.' }),
    height: Type.Integer({ description: 'Height in pixels.' }),
    frame_rate: Nullable(Type.Number({ description: 'Frames per second; null if unknown.' })),
    audio_codec: Nullable(Type.String({ description: 'Codec of the audio; null without audio.' })),
    bits_per_second: Type.Integer({ description: 'Bitrate of the tested part.' }),
  },
  { description: 'What the source sends, as it is recorded.' },
);

export const CameraTest = resource(
  'CameraTest',
  Type.Object(
    {
      ok: Type.Boolean({ description: 'True if all steps were passed.' }),
      source_url: Type.String({ description: 'URL of the source, without credentials.' }),
      tested_at: At('Time of the test.'),
      steps: Type.Array(Step, { description: 'Steps in their order, up to the first one that failed.' }),
      error: Nullable(Type.String({ description: 'Error code of a failure.' })),
      message: Nullable(Type.String({ description: 'The same error as a sentence.' })),
      format: Nullable(Format),
      snapshot: Nullable(Type.String({ description: 'A frame: JPEG in base64; null if the test failed.' })),
    },
    {
      description: 'Result of a connection test.',
      examples: [
        {
          ok: false,
          source_url: 'rtsp://camera.example/ch1',
          tested_at: '2026-11-21T09:30:00.000Z',
          steps: [
            { step: 'port', ok: true, elapsed_ms: 6 },
            { step: 'sign_in', ok: false, elapsed_ms: 41 },
          ],
          error: 'media_source_denied',
          message: 'The source did not accept the user name and the password.',
          format: null,
          snapshot: null,
        },
      ],
    },
  ),
);
