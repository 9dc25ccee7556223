import { useEffect, useRef } from 'react';
import { isTyping } from '#frame/shortcuts.tsx';
import type { Player } from '#player/player.ts';

/** Actions of the keys besides playback. */
export type ReviewActions = {
  approve: () => void;
  approveSelected: () => void;
  /** Arms the choice of a reason; again: rejects without one. */
  reject: () => void;
  /** A reason by its number, from 1. */
  reason: (number: number) => void;
  disarm: () => void;
  unsure: () => void;
  edit: () => void;
  setEdge: (edge: 'start' | 'end') => void;
  /** Moves an edge outwards by a frame. */
  nudge: (edge: 'start' | 'end') => void;
  toggleBoxes: () => void;
  missed: () => void;
  undo: () => void;
  select: () => void;
  skip: () => void;
  back: () => void;
};

const POPUPS = '[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=option]';
const PRESSED_BY_SPACE = 'button,a,summary,[role=button]';

/** The keyboard of the review; `frame/shortcuts-dialog.tsx` lists it. */
export function useReviewKeys(player: Player | null, actions: ReviewActions): void {
  const latest = useRef({ player, actions });
  useEffect(() => {
    latest.current = { player, actions };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
      if (target instanceof Element && target.closest(POPUPS)) return;
      if (event.key === ' ' && target instanceof Element && target.closest(PRESSED_BY_SPACE)) return;
      const run = commandOf(event.key, latest.current.player, latest.current.actions);
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function commandOf(key: string, player: Player | null, actions: ReviewActions): (() => void) | undefined {
  if (/^[1-9]$/.test(key)) return () => actions.reason(Number(key));
  // With Caps Lock, letters are capitals too: Shift is part of a command only where the small letter has another one.
  if (key === 'A') return actions.approveSelected;
  const commands: Record<string, () => void> = {
    a: actions.approve,
    r: actions.reject,
    f: actions.unsure,
    e: actions.edit,
    '[': () => actions.setEdge('start'),
    ']': () => actions.setEdge('end'),
    '{': () => actions.nudge('start'),
    '}': () => actions.nudge('end'),
    b: actions.toggleBoxes,
    m: actions.missed,
    u: actions.undo,
    x: actions.select,
    s: actions.skip,
    Escape: actions.disarm,
    ArrowDown: actions.skip,
    ArrowUp: actions.back,
    ' ': () => player?.toggle(),
    j: () => player?.shuttle(-1),
    k: () => {
      player?.pause();
      player?.setSpeed(1);
    },
    l: () => player?.shuttle(1),
    ',': () => player?.step(-1),
    '.': () => player?.step(1),
  };
  return commands[key.length === 1 ? key.toLowerCase() : key];
}
