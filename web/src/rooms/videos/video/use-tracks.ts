import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Player } from '#player/player.ts';
import type { BoxTrack } from '#player/stage/boxes.ts';
import { COUNT, observationsQuery, tracksQuery, WINDOW_S } from './observations.ts';

const NONE: BoxTrack[] = [];

/** The boxes of objects around the shown time. Each class has the color of its row in the timeline. */
export function useTracks(player: Player, videoId: string): BoxTrack[] {
  const [window, setWindow] = useState(() => Math.floor(player.time() / WINDOW_S));
  useEffect(() => {
    let current = -1;
    return player.onTime((time) => {
      const next = Math.floor(time / WINDOW_S);
      if (next === current) return;
      current = next;
      setWindow(next);
    });
  }, [player]);
  const { data } = useQuery(tracksQuery(videoId, window));
  const { data: observations } = useQuery(observationsQuery(videoId, null));
  return useMemo(() => {
    if (!data) return NONE;
    const classes = observations?.counted ?? [];
    return data.tracks.map((track) => ({
      id: String(track.id),
      label: track.class,
      color: (Math.max(0, classes.indexOf(COUNT + track.class)) % 6) + 1,
      points: track.times_s.map((time, index) => {
        const [x, y, width, height] = track.boxes[index] as [number, number, number, number];
        return { time, x, y, width, height, confidence: track.confidence[index] ?? 0 };
      }),
    }));
  }, [data, observations]);
}
