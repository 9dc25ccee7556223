import { type App, routes, toWire } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import { VideoParams } from '../schema.ts';
import { Causation } from './causation-schema.ts';
import {
  DOWNSAMPLED,
  jsonOrCsv,
  ObservationsQuery,
  TelemetryQuery,
  TracksQuery,
  VideoObservations,
  VideoTelemetry,
  VideoTracks,
} from './schema.ts';
import type { Timeline } from './service.ts';

const LANES_HEADER = ['field', 'time_s', 'min', 'max'];
const TELEMETRY_HEADER = [...LANES_HEADER, 'latitude', 'longitude'];

export function timelineRoutes(app: App, timeline: Timeline): void {
  const route = routes(app, { tag: 'Analysis', scope: 'read' });

  route.get(
    '/api/videos/:video_id/observations',
    {
      id: 'getObservations',
      folderKeys: true,
      summary: 'Get what was observed in a video over time',
      description: `Returns stored observations for a timeline: motion, brightness, cuts, loudness, and the number of objects of each class. Nothing is decoded; fields without values state why. ${DOWNSAMPLED}`,
      params: VideoParams,
      query: ObservationsQuery,
      responses: jsonOrCsv(VideoObservations, `${LANES_HEADER}\nmotion,0,0.01,0.05\n`),
      errors: [400, 404],
    },
    async ({ caller, params, query: { format, ...options } }, reply) => {
      const found = await timeline.observations(caller, params.videoId, options);
      if (format !== 'csv') return toWire(VideoObservations, found);
      reply.type('text/csv; charset=utf-8');
      const { stringify } = await import('csv-stringify/sync');
      return stringify([LANES_HEADER, ...found.lanes.flatMap(rowsOf)]);
    },
  );

  route.get(
    '/api/videos/:video_id/tracks',
    {
      id: 'getTracks',
      folderKeys: true,
      summary: 'Get the tracked objects of a video',
      description:
        'Returns the boxes of tracked objects in a range of at most ten minutes, for drawing them over the video. Boxes are fractions of the frame, as in the evidence of events. Nothing is decoded.',
      params: VideoParams,
      query: TracksQuery,
      response: VideoTracks,
      errors: [400, 404],
    },
    ({ caller, params, query }) => timeline.tracks(caller, params.videoId, query),
  );

  route.get(
    '/api/videos/:video_id/causation',
    {
      id: 'getCausation',
      folderKeys: true,
      summary: 'Get the actions of the vehicle in a video',
      description:
        'Returns what the vehicle that carries the camera did over time, as its telemetry shows: driving, accelerating, braking, stops and turns. 404 for a video without such measurements. Captions of the video (`POST /api/videos/index`) by a vision-language model also state why it did so.',
      params: VideoParams,
      response: Causation,
      errors: [404],
    },
    async ({ caller, params }) => ({ ...(await timeline.causation(caller, params.videoId)), schemaVersion: '1.0' }),
  );

  route.get(
    '/api/videos/:video_id/telemetry',
    {
      id: 'getTelemetry',
      folderKeys: true,
      summary: 'Get the telemetry of a video over time',
      description: `Returns the measurements of the camera or its vehicle, and its positions. ${DOWNSAMPLED} Of the positions, the first of each interval is returned.`,
      params: VideoParams,
      query: TelemetryQuery,
      responses: jsonOrCsv(VideoTelemetry, `${TELEMETRY_HEADER}\nspeed,0,12.1,12.4,,\nposition,0,,,52.52,13.405\n`),
      errors: [400, 404],
    },
    async ({ caller, params, query: { format, ...options } }, reply) => {
      const found = await timeline.telemetry(caller, params.videoId, options);
      if (format !== 'csv') return toWire(VideoTelemetry, found);
      reply.type('text/csv; charset=utf-8');
      const { timesS = [], latitude = [], longitude = [] } = found.track ?? {};
      const positions = timesS.map((timeS, i) => ['position', rounded(timeS), '', '', latitude[i], longitude[i]]);
      const { stringify } = await import('csv-stringify/sync');
      return stringify([
        TELEMETRY_HEADER,
        ...found.fields.flatMap(rowsOf).map((row) => [...row, '', '']),
        ...positions,
      ]);
    },
  );
}

type Series = { field: string; timesS: readonly number[]; min: readonly number[]; max: readonly number[] };

const rowsOf = ({ field, timesS, min, max }: Series) =>
  timesS.map((timeS, i): (string | number)[] => [field, rounded(timeS), rounded(min[i]!), rounded(max[i]!)]);
