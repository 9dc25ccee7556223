import { useCallback, useEffect, useRef } from 'react';
import type { LivePlayer } from '#player/live/live-player.ts';
import { type KeyCommands, useKeyCommands } from '#player/shortcuts.ts';
import { JUMP_S } from './live-controls.tsx';

type Actions = { toggleBoxes: () => void; toggleZones: () => void; toggleFullScreen: () => void };

/** The keyboard shortcuts of a running session. */
export function useLiveShortcuts(player: LivePlayer, actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const commands = useCallback((): KeyCommands => {
    const { toggleBoxes, toggleZones, toggleFullScreen } = latest.current;
    return {
      ' ': () => player.toggle(),
      l: () => player.goLive(),
      ArrowLeft: () => player.seek(player.time() - JUMP_S),
      ArrowRight: () => player.state().isAtEdge || player.seek(player.time() + JUMP_S),
      b: toggleBoxes,
      z: toggleZones,
      f: toggleFullScreen,
      m: () => player.toggleMuted(),
    };
  }, [player]);
  useKeyCommands(commands);
}
