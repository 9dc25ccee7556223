import type { VideoObservations, VideoTelemetry } from '@sightline/sdk';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { api } from '#api/client.ts';
import type { GeoTrack } from '#timeline/map/geo.ts';

/** Intervals per field; more than pixels of most screens. */
const POINTS = 2000;

/** Prefix of the fields that count objects of a class. */
export const COUNT = 'count:';

type Range = { from: number; to: number } | null;

/** Observed values over time, in a range in seconds; null: the whole video. */
export const observationsQuery = (videoId: string, range: Range) =>
  queryOptions({
    queryKey: ['observations', videoId, range],
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { video_id: videoId }, query: { ...range, points: POINTS } };
      const { data } = await api.GET('/api/videos/{video_id}/observations', { params, signal });
      // CSV only if it is requested.
      return data as VideoObservations;
    },
  });

/** Telemetry over time, with the positions. */
export const telemetryQuery = (videoId: string) =>
  queryOptions({
    queryKey: ['telemetry', videoId],
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { video_id: videoId }, query: { points: POINTS } };
      const { data } = await api.GET('/api/videos/{video_id}/telemetry', { params, signal });
      return data as VideoTelemetry;
    },
  });

/** Length of a window of tracks in seconds; its boxes reach a little into the next one. */
export const WINDOW_S = 60;
const OVERLAP_S = 1;

/** Boxes of the objects in one window of the video. */
export const tracksQuery = (videoId: string, window: number) =>
  queryOptions({
    queryKey: ['tracks', videoId, window],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => {
      const from = Math.max(0, window * WINDOW_S - OVERLAP_S);
      const query = { from, to: (window + 1) * WINDOW_S + OVERLAP_S };
      const params = { path: { video_id: videoId }, query };
      return (await api.GET('/api/videos/{video_id}/tracks', { params, signal })).data!;
    },
  });

/** Where the video was recorded; null if that is not known. */
export function useGeoTrack(videoId: string): GeoTrack | null {
  const track = useQuery(telemetryQuery(videoId)).data?.track;
  return useMemo(
    () => (track ? { times: track.times_s, latitude: track.latitude, longitude: track.longitude } : null),
    [track],
  );
}

/** Loads observations again when an analysis has ended: it may have made more of them. */
export function useFreshObservations(videoId: string, status: string | undefined): void {
  const queries = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current === 'PROCESSING' && status !== 'PROCESSING') {
      for (const kind of ['observations', 'telemetry', 'tracks']) {
        void queries.invalidateQueries({ queryKey: [kind, videoId] });
      }
    }
    before.current = status;
  }, [queries, videoId, status]);
}
