import {
  isLaneField,
  readCoverage,
  readDrivingActions,
  readLanes,
  readTelemetry,
  readTracks,
  TELEMETRY_FIELDS,
} from '#engine/index';
import type { Video, Videos } from '#features/videos/index';
import type { Caller } from '#platform/http/index';
import { rounded } from '#platform/numbers';
import type { StoredCausation } from '../index-store.ts';
import type { StoredObservationReader } from '../observations/index.ts';
import { problems } from '../problems.ts';

const NEEDS_MODEL =
  'Why the vehicle acted is stated by a vision-language model, which this service does not have (SIGHTLINE_VISION_URL).';
const NOT_INDEXED =
  'Why the vehicle acted is stated when the video is captioned by the vision-language model: request it with `POST /api/videos/index` and `refresh`.';

type Range = { from?: number | undefined; to?: number | undefined };
type SeriesOptions = Range & { fields?: string | undefined; points?: number | undefined };

const DEFAULT_POINTS = 500;
const MAX_FIELDS = 16;
const DEFAULT_TRACKS_S = 60;
const MAX_TRACKS_S = 600;
const DEFAULT_RATE = 5;

/** Stored observations of videos that the caller may see, for timelines. Nothing is decoded. */
export function createTimeline(deps: {
  videos: Pick<Videos, 'get'>;
  stored: StoredObservationReader;
  /** Annotations of the captions of a video; null if there are none. */
  findCausation: (caller: Caller, videoId: string) => Promise<StoredCausation | null>;
  /** True if a vision-language model is configured. */
  hasModel: () => boolean;
}) {
  const { videos, stored, findCausation, hasModel } = deps;

  return {
    /**
     * Values over time. Throws as `videos.get` does, `range_invalid` (400) or `field_unknown` (400) for a field that no
     * video has.
     */
    async observations(caller: Caller, videoId: string, { fields, points = DEFAULT_POINTS, ...range }: SeriesOptions) {
      const names = listFields(fields, isLaneField);
      const video = await videos.get(caller, videoId);
      const request = { ...rangeOf(video, range), points, fields: names };
      const kinds = ['signals', 'objects', 'fine_objects', 'sound', 'glance'] as const;
      return stored.read(videoId, kinds, async (found, denseRanges) => ({
        videoId,
        fromS: request.fromS,
        toS: request.toS,
        ...(await readLanes(found, request)),
        coverage: await readCoverage(found, denseRanges, request),
      }));
    },

    /** Boxes of tracked objects in a range of at most ten minutes. Throws as `observations` does. */
    async tracks(
      caller: Caller,
      videoId: string,
      {
        classes,
        rate = DEFAULT_RATE,
        from = 0,
        to,
      }: Range & { classes?: string | undefined; rate?: number | undefined },
    ) {
      const names = listFields(
        classes?.replaceAll(/[^,]+/g, (name) => `count:${name.trim()}`),
        isLaneField,
      );
      const video = await videos.get(caller, videoId);
      const lengthS = video.durationS ?? from + DEFAULT_TRACKS_S;
      const { fromS, toS } = rangeOf(video, {
        from,
        to: to ?? Math.max(from, Math.min(lengthS, from + DEFAULT_TRACKS_S)),
      });
      if (toS - fromS > MAX_TRACKS_S)
        throw problems.range_invalid(`The range may have ${MAX_TRACKS_S} seconds at most.`);
      const request = { fromS, toS, perS: rate, classes: names?.map((name) => name.slice('count:'.length)) ?? null };
      const { perS, ...found } = await stored.read(videoId, ['signals', 'objects', 'fine_objects', 'glance'], (each) =>
        readTracks(each, request),
      );
      return { videoId, fromS, toS, rate: perS, ...found };
    },

    /** Measurements over time, and positions. Throws as `observations` does. */
    async telemetry(caller: Caller, videoId: string, { fields, points = DEFAULT_POINTS, ...range }: SeriesOptions) {
      const names = listFields(fields, (name) => TELEMETRY_FIELDS.includes(name));
      const video = await videos.get(caller, videoId);
      const request = { ...rangeOf(video, range), points, fields: names };
      const series = await stored.read(videoId, ['telemetry'], (found) => readTelemetry(found, request));
      return { videoId, fromS: request.fromS, toS: request.toS, ...series };
    },

    /**
     * Actions of the vehicle by its telemetry, and why it acted, if its captions state that. Throws as `videos.get`
     * does, or `causation_not_found` (404).
     */
    async causation(caller: Caller, videoId: string) {
      const { durationS, width, height } = await videos.get(caller, videoId);
      const found = await stored.read(videoId, ['telemetry'], readDrivingActions);
      if ('reason' in found) {
        throw problems.causation_not_found(
          `The motion of the vehicle was not measured in this video, so that its decisions are not known. ${found.reason}`,
        );
      }
      const { actions, ...measured } = found;
      const frameSize = width !== null && height !== null ? [width, height] : null;
      const egoMetaActions = actions.map(({ startS, endS, speedMps, ...action }) => ({
        startS: rounded(startS),
        endS: rounded(endS),
        ...action,
        speedMps: speedMps === null ? null : rounded(speedMps),
      }));
      const causation = await findCausation(caller, videoId);
      const isAnnotated = causation !== null && 'annotations' in causation;
      return {
        videoId,
        durationS,
        frameSize,
        ...measured,
        egoMetaActions,
        annotations: isAnnotated ? causation.annotations : null,
        annotationsUnavailable: isAnnotated ? null : (causation?.reason ?? (hasModel() ? NOT_INDEXED : NEEDS_MODEL)),
      };
    },
  };
}

export type Timeline = ReturnType<typeof createTimeline>;

function rangeOf({ durationS }: Video, { from = 0, to = durationS ?? 0 }: Range) {
  if (from > to) throw problems.range_invalid();
  return { fromS: from, toS: to };
}

function listFields(text: string | undefined, isKnown: (name: string) => boolean): string[] | null {
  if (text === undefined) return null;
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined)
    throw problems.field_unknown(`There is no field or class "${unknown.replace('count:', '')}".`);
  if (names.length > MAX_FIELDS) throw problems.field_unknown(`At most ${MAX_FIELDS} fields can be read at once.`);
  return names;
}
