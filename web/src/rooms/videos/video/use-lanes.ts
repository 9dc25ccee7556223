import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { VideoObservations, VideoTelemetry } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { eventLanes, type Lane, type LaneEvent, type MarksLane, type Range, type SeriesLane } from '#timeline/lanes.ts';
import { detailRange, spliceSeries, toSeries } from '#timeline/splice.ts';
import { formatNumber } from '#ui/format/format.ts';
import { COUNT, observationsQuery, telemetryQuery } from './observations.ts';
import { seenShare } from './unseen.ts';

type Look = {
  name: MessageDescriptor;
  shape: SeriesLane['shape'];
  color: number;
  min?: number;
  max?: number;
  unit: string;
};

/** Cut scores from here on are cuts. */
const CUT = 50;

/** Observed fields that have a row, in its order. Axes without limits fit their values. */
const OBSERVED: Record<string, Look> = {
  motion: { name: msg`Motion`, shape: 'area', color: 0, min: 0, unit: '' },
  camera_motion: { name: msg`Camera motion`, shape: 'area', color: 0, min: 0, unit: '' },
  brightness: { name: msg`Brightness`, shape: 'area', color: 0, min: 0, max: 255, unit: '' },
  loudness: { name: msg`Loudness`, shape: 'wave', color: 0, min: -70, max: 0, unit: 'dB' },
};
/** Telemetry, with the factor from the unit of the API to the shown one. */
const MEASURED: Record<string, Look & { scale?: number }> = {
  speed: { name: msg`Speed · km/h`, shape: 'line', color: 4, scale: 3.6, min: 0, unit: 'km/h' },
  acceleration: { name: msg`Acceleration · m/s²`, shape: 'line', color: 3, unit: 'm/s²' },
  yaw_rate: { name: msg`Turn rate · °/s`, shape: 'line', color: 5, unit: '°/s' },
  altitude: { name: msg`Altitude · m`, shape: 'line', color: 6, unit: 'm' },
};

type Shown = { start: number; end: number };

/** Rows of the timeline: events, what was observed, telemetry, and what was not seen. */
export function useLanes(
  /** `isBlank`: the frames are empty, so that nothing that was seen in them is a row. */
  video: { videoId: string; duration: number; isBlank: boolean },
  events: readonly LaneEvent[],
  /** Ranges that were not seen; null before the first question. */
  unseen: readonly Range[] | null,
  shown: Shown,
): { lanes: Lane[]; isDrive: boolean; isLoading: boolean } {
  const { t } = useLingui();
  const { videoId, duration, isBlank } = video;
  const { data: whole, isPending: isLoading } = useQuery(observationsQuery(videoId, null));
  // Only if intervals of the whole video hold more than one sample each.
  const isReduced = whole?.lanes.some(({ samples, times_s }) => samples > times_s.length) ?? false;
  const range = isReduced ? detailRange(shown, duration) : null;
  const { data: detail } = useQuery({ ...observationsQuery(videoId, range), enabled: range !== null });
  const { data: telemetry } = useQuery(telemetryQuery(videoId));
  const eventRows = useMemo(() => eventLanes(events), [events]);
  const observed = useMemo(
    () => (whole && !isBlank ? observedLanes(whole, range ? detail : undefined, t) : { counts: [], values: [] }),
    [whole, isBlank, detail, range, t],
  );
  const counts = useMemo(() => observed.counts.map((lane) => foldRare(lane, events)), [observed, events]);
  const measured = useMemo(() => (telemetry ? measuredLanes(telemetry, t) : []), [telemetry, t]);
  const lanes = useMemo(() => {
    const coverage: Lane[] = unseen
      ? [
          {
            kind: 'coverage',
            id: 'coverage',
            name: t`Coverage`,
            color: 0,
            ranges: unseen,
            seen: seenShare(unseen, duration),
          },
        ]
      : [];
    // Measurements of a vehicle or robot come before the frames of its camera.
    return [...eventRows, ...measured, ...counts, ...observed.values, ...coverage];
  }, [eventRows, measured, counts, observed, unseen, duration, t]);
  return { lanes, isDrive: measured.length > 0, isLoading };
}

/** Classes that fewer frames have are folded: the detector invents some of them. */
const RARE_SHARE = 0.1;

/** Folds the count of a class that few frames have, unless an event is about it. */
function foldRare(lane: SeriesLane, events: readonly LaneEvent[]): SeriesLane {
  const { high } = lane.series;
  const seen = high.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0);
  const isNamed = events.some(({ label }) => label.toLowerCase().includes(lane.name.toLowerCase()));
  return seen < RARE_SHARE * high.length && !isNamed ? { ...lane, isFolded: true } : lane;
}

type Translate = (message: MessageDescriptor) => string;
type ObservedLane = VideoObservations['lanes'][number];

function observedLanes(
  whole: VideoObservations,
  detail: VideoObservations | undefined,
  t: Translate,
): { counts: SeriesLane[]; values: Lane[] } {
  const seriesOf = (lane: ObservedLane) => {
    const series = toSeries(lane);
    const near = detail?.lanes.find(({ field }) => field === lane.field);
    return near ? spliceSeries(series, toSeries(near), detail!.from_s, detail!.to_s) : series;
  };
  const find = (field: string) => whole.lanes.find((lane) => lane.field === field);
  const counts = whole.lanes
    .filter(({ field }) => field.startsWith(COUNT))
    .map((lane, index): SeriesLane => {
      const series = seriesOf(lane);
      const look = { name: lane.field.slice(COUNT.length), shape: 'steps' as const, color: (index % 6) + 1 };
      return { kind: 'series', id: lane.field, ...look, series, min: 0, max: greatest(series.high, 1), format: number };
    });
  const values = Object.entries(OBSERVED).flatMap(([field, look]): Lane[] => {
    const lane = find(field);
    return lane ? [seriesLane(field, seriesOf(lane), look, t)] : [];
  });
  const cuts = find('cuts');
  return { counts, values: [...values, ...(cuts ? [cutLane(seriesOf(cuts), t)] : [])] };
}

const measuredLanes = ({ fields }: VideoTelemetry, t: Translate): Lane[] =>
  Object.entries(MEASURED).flatMap(([name, look]): Lane[] => {
    const measured = fields.find(({ field }) => field === name);
    return measured ? [seriesLane(name, toSeries(measured, look.scale), look, t)] : [];
  });

function seriesLane(id: string, series: SeriesLane['series'], look: Look, t: Translate): SeriesLane {
  const { shape, color, unit } = look;
  const min =
    look.min ??
    -greatest(
      series.low.map((value) => -value),
      0,
    );
  const max = look.max ?? greatest(series.high, min);
  const format = (value: number) => `${number(value)}${unit && ` ${unit}`}`;
  return { kind: 'series', id, name: t(look.name), shape, color, series, min, max: max > min ? max : min + 1, format };
}

function cutLane({ times, high }: SeriesLane['series'], t: Translate): MarksLane {
  const cuts = times.filter((_, index) => high[index]! >= CUT);
  return { kind: 'marks', id: 'cuts', name: t(msg`Cuts`), color: 0, times: cuts };
}

const number = (value: number): string => formatNumber(value, { maximumSignificantDigits: 3 });

function greatest(values: Float32Array, least: number): number {
  let result = least;
  for (const value of values) if (value > result) result = value;
  return result;
}
