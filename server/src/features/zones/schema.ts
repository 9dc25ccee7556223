import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000061';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const USER_ID = '019a0b1c2d3e7f008000000000000001';
const POINTS = [
  { x: 0.1, y: 0.4 },
  { x: 0.35, y: 0.4 },
  { x: 0.35, y: 0.95 },
  { x: 0.1, y: 0.95 },
];

const ZoneName = Name({
  maxLength: 40,
  description:
    'Name of the zone in prompts ("enters zone door"), unique for the video, folder or camera whatever the case: words of letters and digits.',
});

const ZonePoint = resource(
  'ZonePoint',
  Type.Object(
    {
      x: Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the width, from the left.' }),
      y: Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the height, from the top.' }),
    },
    { description: 'A point in the frame.', examples: [POINTS[0]] },
  ),
);
const Points = Type.Array(ZonePoint, {
  minItems: 2,
  maxItems: 32,
  description:
    'Two points are a line: seen from the first to the second, its inner side is on the right. Three to 32 are the corners of a polygon in order, whose sides do not cross.',
});
const Note = Type.String({ maxLength: 500, description: 'Purpose of the zone.' });

export const ZoneParams = Type.Object({
  zone_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the zone.' }),
});

export const ZoneListQuery = Type.Object({
  video_id: Maybe(
    Type.String({
      maxLength: 255,
      description: 'Zones that hold for this video: its own, and those of its camera and folder.',
    }),
  ),
  folder_id: Maybe(Type.String({ maxLength: 255, description: 'Zones of this folder.' })),
  camera_id: Maybe(Type.String({ maxLength: 255, description: 'Zones of this camera.' })),
});

export const ZoneRequest = resource(
  'ZoneRequest',
  Type.Object(
    {
      name: ZoneName,
      points: Points,
      video_id: Maybe(Type.String({ maxLength: 255, description: 'The video that it holds for.' })),
      folder_id: Maybe(
        Type.String({
          maxLength: 255,
          description: 'The folder for whose videos and livestreams it holds: the recordings of one fixed camera.',
        }),
      ),
      camera_id: Maybe(
        Type.String({ maxLength: 255, description: 'The camera for whose sessions and recordings it holds.' }),
      ),
      note: Maybe(Note),
    },
    {
      description: 'A zone to create, of either a video, a folder or a camera.',
      examples: [{ name: 'door', points: POINTS, video_id: VIDEO_ID }],
    },
  ),
);

export const ZoneChange = resource(
  'ZoneChange',
  Type.Object(
    { name: Maybe(ZoneName), points: Maybe(Points), note: Maybe(Note) },
    {
      description: 'Changes to a zone; omitted fields stay as they are. An empty `note` removes it.',
      examples: [{ name: 'front door' }],
    },
  ),
);

export const Zone = resource(
  'Zone',
  Type.Object(
    {
      zone_id: Type.String({ description: 'Identifier of the zone.' }),
      name: Type.String({ description: 'Name of the zone in prompts.' }),
      kind: Type.Union([Type.Literal('polygon'), Type.Literal('line')], {
        description: '`polygon`: objects are in it, enter and leave it; `line`: they cross it.',
      }),
      points: Type.Array(ZonePoint, { description: 'Corners of the polygon, or the two ends of the line.' }),
      video_id: Nullable(Type.String({ description: 'The video that it belongs to; null for other zones.' })),
      folder_id: Nullable(Type.String({ description: 'The folder that it belongs to; null for other zones.' })),
      camera_id: Nullable(Type.String({ description: 'The camera that it belongs to; null for other zones.' })),
      note: Nullable(Type.String({ description: 'Purpose of the zone.' })),
      created_by: Type.String({ description: 'User who created it.' }),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      changed_at: Timestamp({ description: 'Time of the latest change.' }),
    },
    {
      description: 'A named polygon or line in the frame, which prompts call by its name.',
      examples: [
        {
          zone_id: ID,
          name: 'door',
          kind: 'polygon',
          points: POINTS,
          video_id: VIDEO_ID,
          folder_id: null,
          camera_id: null,
          note: null,
          created_by: USER_ID,
          created_at: '2026-11-21T09:30:00.000Z',
          changed_at: '2026-11-21T09:30:00.000Z',
        },
      ],
    },
  ),
);

export const ZoneList = resource(
  'ZoneList',
  Type.Object(
    {
      zones: Type.Array(Zone, {
        description:
          'Zones by name. Of those that hold for a video, one of the video replaces one of its camera with the same name, which replaces one of its folder.',
      }),
    },
    { description: 'Zones of a video, folder or camera.', examples: [{ zones: [] }] },
  ),
);

export const DeletedZone = resource(
  'DeletedZone',
  Type.Object(
    { status: Type.Literal('deleted'), zone_id: Type.String({ description: 'Identifier of the deleted zone.' }) },
    { description: 'A deleted zone.', examples: [{ status: 'deleted', zone_id: ID }] },
  ),
);
