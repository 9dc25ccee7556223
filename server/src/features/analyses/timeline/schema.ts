import { Type } from 'typebox';
import { LANE_FIELDS, TELEMETRY_FIELDS } from '#engine/index';
import { Nullable, resource } from '#platform/http/index';

const DOWNSAMPLED =
  'Each field is reduced to at most `points` intervals of equal length with the least and the greatest value (min–max downsampling), so that no peak is lost; with fewer samples than intervals, every value is exact.';

// Not nullable: the conversion of query values would take 0 for null.
const Range = {
  from: Type.Optional(Type.Number({ minimum: 0, description: 'Start in seconds of the video; default: 0.' })),
  to: Type.Optional(Type.Number({ minimum: 0, description: 'End in seconds; default: the end of the video.' })),
};
const Points = Type.Optional(
  Type.Integer({ minimum: 2, maximum: 2_000, description: 'Maximum number of intervals per field; default: 500.' }),
);
const Format = Type.Optional(
  Type.Union([Type.Literal('json'), Type.Literal('csv')], {
    description: '`json` (default), or `csv`: a table for spreadsheets, with a row per field and interval.',
  }),
);

export const ObservationsQuery = Type.Object({
  fields: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: `Fields, separated by commas: ${LANE_FIELDS.map((name) => `\`${name}\``).join(', ')}, and \`count:CLASS\` for the number of objects of a class, such as \`count:person\`. At most 16. Default: all, with the eight most frequent classes.`,
    }),
  ),
  ...Range,
  points: Points,
  format: Format,
});

export const TelemetryQuery = Type.Object({
  fields: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Fields, separated by commas: ${TELEMETRY_FIELDS.map((name) => `\`${name}\``).join(', ')}. Default: all.`,
    }),
  ),
  ...Range,
  points: Points,
  format: Format,
});

export const TracksQuery = Type.Object({
  from: Range.from,
  to: Type.Optional(
    Type.Number({ minimum: 0, description: 'End in seconds, at most 600 after `from`; default: 60 after it.' }),
  ),
  classes: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Only objects of these classes, separated by commas, such as `person,car`; default: all.',
    }),
  ),
  rate: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 30,
      description:
        'Maximum frames per second; default: 5, which is every frame that the detector sees. Lowered if the answer would have more than 20,000 boxes.',
    }),
  ),
});

const Times = Type.Array(Type.Number(), { description: 'Time of the first sample of each interval, in seconds.' });
const Values = {
  times_s: Times,
  min: Type.Array(Type.Number(), { description: 'Least value of each interval.' }),
  max: Type.Array(Type.Number(), { description: 'Greatest value of each interval.' }),
  samples: Type.Integer({ minimum: 0, description: 'Number of stored samples between `from_s` and `to_s`.' }),
};
const Pass = Type.Union([Type.Literal('dense'), Type.Literal('sparse')], {
  description: '`dense`: from every frame; `sparse`: from single frames some seconds apart.',
});
const Unavailable = Type.Object(
  {
    field: Type.String({ description: 'The field.' }),
    reason: Type.String({
      description:
        '`not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`.',
    }),
    message: Type.String({ description: 'The reason as a sentence.' }),
  },
  { description: 'A field without values.' },
);
export const Head = {
  video_id: Type.String({ description: 'Identifier of the video.' }),
  from_s: Type.Number({ description: 'Start of the range in seconds.' }),
  to_s: Type.Number({ description: 'End of the range in seconds.' }),
};
export const HEAD = { video_id: '019a0b1c2d3e7f008000000000000003', from_s: 0, to_s: 60.06 };
const LANE = { times_s: [0, 0.12], min: [0.01, 0.02], max: [0.05, 0.31], samples: 1_800 };

export const VideoObservations = resource(
  'VideoObservations',
  Type.Object(
    {
      ...Head,
      lanes: Type.Array(
        Type.Object(
          {
            field: Type.String({ description: 'The field.' }),
            unit: Type.String({ description: 'Unit and range of the values.' }),
            pass: Pass,
            ...Values,
          },
          { description: 'Values of one field over time, as parallel arrays.' },
        ),
        { description: 'Fields with values.' },
      ),
      unavailable: Type.Array(Unavailable, { description: 'Fields without values, and why.' }),
      counted: Type.Array(Type.String(), {
        description: 'Fields that count objects of a class in this video, most frequent class first.',
      }),
      coverage: Type.Array(
        Type.Object(
          {
            from_s: Type.Number({ description: 'Start in seconds.' }),
            to_s: Type.Number({ description: 'End in seconds.' }),
            seen: Type.Union(
              [
                Type.Literal('every_frame'),
                Type.Literal('single_frames'),
                Type.Literal('unchanged'),
                Type.Literal('nothing'),
              ],
              {
                description:
                  '`every_frame`; `single_frames`: frames some seconds apart; `unchanged`: single frames, and the packets between them show no change; `nothing`: not observed yet, damaged, or a gap in the recording.',
              },
            ),
            message: Type.String({ description: 'The same as a sentence.' }),
          },
          { description: 'A part of the range, and how it was seen.' },
        ),
        { description: 'How the parts of the range were seen. They are ascending and cover the range.' },
      ),
    },
    {
      description: 'What was observed in a video, over time.',
      examples: [
        {
          ...HEAD,
          lanes: [{ field: 'motion', unit: 'share of the frame, 0 to 1', pass: 'dense', ...LANE }],
          unavailable: [{ field: 'loudness', reason: 'no_audio', message: 'This video has no audio.' }],
          counted: ['count:person', 'count:car'],
          coverage: [{ from_s: 0, to_s: 60.06, seen: 'every_frame', message: 'Every frame was observed.' }],
        },
      ],
    },
  ),
);

export const VideoTracks = resource(
  'VideoTracks',
  Type.Object(
    {
      ...Head,
      rate: Type.Number({ description: 'Maximum frames per second of this answer.' }),
      pass: Nullable(Pass),
      model: Nullable(Type.String({ description: 'Name of the detector and digest of its weights.' })),
      classes: Type.Array(Type.String(), { description: 'Classes of all tracks of the video.' }),
      tracks: Type.Array(
        Type.Object(
          {
            id: Type.Integer({ description: 'Identifier of the track within the video.' }),
            class: Type.String({ description: 'Class of the object.' }),
            color: Nullable(Type.String({ description: 'Main color of the object, if it has one.' })),
            times_s: Type.Array(Type.Number(), { description: 'Time of each box, in seconds.' }),
            boxes: Type.Array(
              Type.Array(Type.Number(), {
                description: '`[x, y, width, height]`: top left corner and size, as fractions of the frame.',
              }),
              { description: 'Boxes, parallel to `times_s`.' },
            ),
            confidence: Type.Array(Type.Number(), {
              description: 'Score of the detector, 0 to 1; 0 between two detections.',
            }),
          },
          { description: 'One object over time, as parallel arrays.' },
        ),
        { description: 'Tracks with boxes in the range.' },
      ),
      unavailable: Nullable(
        Type.Object(
          { reason: Unavailable.properties.reason, message: Unavailable.properties.message },
          { description: 'Why there are no tracks; null if the objects of the video were observed.' },
        ),
      ),
    },
    {
      description: 'Boxes of tracked objects in a range of a video.',
      examples: [
        {
          ...HEAD,
          rate: 5,
          pass: 'dense',
          model: 'yolox_nano c789161ed43c',
          classes: ['car'],
          unavailable: null,
          tracks: [
            { id: 7, class: 'car', color: 'red', times_s: [1.2], boxes: [[0.1, 0.4, 0.2, 0.1]], confidence: [0.83] },
          ],
        },
      ],
    },
  ),
);

export const VideoTelemetry = resource(
  'VideoTelemetry',
  Type.Object(
    {
      ...Head,
      source: Nullable(Type.String({ description: 'Source, such as `GoPro track`; null without telemetry.' })),
      notes: Type.Array(Type.String(), { description: 'Limits of the measurements, such as derived ones.' }),
      fields: Type.Array(
        Type.Object(
          {
            field: Type.String({ description: 'The measurement.' }),
            unit: Type.String({ description: 'Unit of the values.' }),
            ...Values,
          },
          { description: 'One measurement over time, as parallel arrays.' },
        ),
        { description: 'Measurements with values.' },
      ),
      channels: Type.Array(
        Type.Object(
          {
            name: Type.String({ description: 'Name in the recording.' }),
            unit: Nullable(Type.String({ description: 'Its unit, if the recording or the name states one.' })),
            samples: Type.Integer({ description: 'Number of values.' }),
          },
          { description: 'A number that was recorded under a name.' },
        ),
        { description: 'All other numbers of the recording. Prompts may ask for them by their names.' },
      ),
      channels_left_out: Type.Integer({
        description: 'Number of channels that were not read because there are too many.',
      }),
      track: Nullable(
        Type.Object(
          {
            times_s: Type.Array(Type.Number(), { description: 'Time of each position, in seconds.' }),
            latitude: Type.Array(Type.Number(), { description: 'WGS 84, in degrees.' }),
            longitude: Type.Array(Type.Number(), { description: 'WGS 84, in degrees.' }),
          },
          { description: 'The first position of each interval, as parallel arrays; null without positions.' },
        ),
      ),
      unavailable: Type.Array(Unavailable, { description: 'Fields without values, and why.' }),
    },
    {
      description: 'Telemetry of a video over time.',
      examples: [
        {
          ...HEAD,
          source: 'GoPro track',
          notes: ['acceleration is derived from speed'],
          fields: [{ field: 'speed', unit: 'm/s', ...LANE }],
          channels: [{ name: 'battery/voltage', unit: 'V', samples: 1200 }],
          channels_left_out: 0,
          track: { times_s: [0, 0.12], latitude: [52.52, 52.521], longitude: [13.405, 13.406] },
          unavailable: [],
        },
      ],
    },
  ),
);

/** A response with the resource as JSON, or the table as CSV. */
export const jsonOrCsv = (schema: typeof VideoObservations | typeof VideoTelemetry, header: string) => ({
  200: {
    description: DOWNSAMPLED,
    content: {
      'application/json': { schema },
      'text/csv': {
        schema: Type.Unsafe<unknown>({
          type: 'string',
          description: 'A header with the names of the columns, then a row per field and interval.',
          examples: [header],
        }),
      },
    },
  },
});

export { DOWNSAMPLED };
