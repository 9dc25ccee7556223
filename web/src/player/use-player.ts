import { useEffect, useState, useSyncExternalStore } from 'react';
import { FALLBACK_RATE } from './frames.ts';
import { type Marks, Player } from './player.ts';
import type { PlayerState } from './player-state.ts';

/** The player of a page. `frameRate` is in frames per second; null if the file states none. */
export function usePlayer(frameRate: number | null, marks: Marks): Player {
  const [player] = useState(() => new Player());
  useEffect(() => {
    player.frameRate = frameRate ?? FALLBACK_RATE;
    player.marks = marks;
  });
  return player;
}

/** The state of a player; renders when it changes, not with every frame. */
export const usePlayerState = (player: Player): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** Calls `show` with the time now and at each frame, without rendering. */
export function useTime(player: Pick<Player, 'time' | 'onTime'>, show: (time: number) => void): void {
  useEffect(() => {
    show(player.time());
    return player.onTime(show);
  }, [player, show]);
}
