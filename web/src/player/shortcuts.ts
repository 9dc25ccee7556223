import { useCallback, useEffect, useRef } from 'react';
import { isTyping } from '#frame/shortcuts.tsx';
import type { Player } from './player.ts';

/** Actions of the keys besides playback. */
export type ShortcutActions = {
  markIn: () => void;
  markOut: () => void;
  toggleBoxes: () => void;
  toggleCaptions: () => void;
  toggleZones: () => void;
  toggleFullScreen: () => void;
  /** Shows the event before (-1) or after (1) the current time. */
  stepEvent: (direction: 1 | -1) => void;
};

const ARROW_S = 1;
/** Elements inside which keys have another meaning. */
const POPUPS = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=option]';
const PRESSED_BY_SPACE = 'button,a,summary,[role=button],[role=tab]';

/** The keyboard shortcuts of a page with a player; `frame/shortcuts.tsx` lists them. */
export function useShortcuts(player: Player, actions: ShortcutActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const current = useCallback(() => commands(player, latest.current), [player]);
  useKeyCommands(current);
}

/** Commands by the name of their key. */
export type KeyCommands = Partial<Record<string, () => void>>;

/** Runs commands by keys where nobody types and no popup is open. */
export function useKeyCommands(current: () => KeyCommands): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
      if (target instanceof Element && target.closest(POPUPS)) return;
      const run = current()[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!run || hasOwnKey(target, event.key)) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [current]);
}

const hasOwnKey = (target: EventTarget | null, key: string): boolean =>
  target instanceof Element &&
  ((key === ' ' && target.closest(PRESSED_BY_SPACE) !== null) ||
    (key.startsWith('Arrow') && target.matches('input[type=range]')));

const commands = (player: Player, actions: ShortcutActions): KeyCommands => ({
  ' ': () => player.toggle(),
  j: () => player.shuttle(-1),
  k: () => {
    player.pause();
    player.setSpeed(1);
  },
  l: () => player.shuttle(1),
  ',': () => player.step(-1),
  '.': () => player.step(1),
  ArrowLeft: () => player.seek(player.time() - ARROW_S),
  ArrowRight: () => player.seek(player.time() + ARROW_S),
  ArrowUp: () => actions.stepEvent(-1),
  ArrowDown: () => actions.stepEvent(1),
  i: actions.markIn,
  o: actions.markOut,
  b: actions.toggleBoxes,
  c: actions.toggleCaptions,
  z: actions.toggleZones,
  f: actions.toggleFullScreen,
  m: () => player.toggleMuted(),
});
