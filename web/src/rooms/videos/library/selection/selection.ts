import { useSyncExternalStore } from 'react';

/**
 * Selected videos of a list. Each card subscribes to its own state, so that a change re-renders only the cards it
 * concerns.
 */
export type VideoSelection = ReturnType<typeof createSelection>;

export function createSelection() {
  let ids: ReadonlySet<string> = new Set();
  let anchor = 0;
  const listeners = new Set<() => void>();
  const replace = (next: ReadonlySet<string>) => {
    ids = next;
    for (const listener of listeners) listener();
  };
  return {
    current: () => ids,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    toggle(id: string, index: number) {
      anchor = index;
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      replace(next);
    },
    /** Adds all videos from the one that was selected last up to this index. */
    extendTo(index: number, idAt: (index: number) => string | undefined) {
      const next = new Set(ids);
      for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at++) {
        const id = idAt(at);
        if (id) next.add(id);
      }
      replace(next);
    },
    setAnchor(index: number) {
      anchor = index;
    },
    set: (next: Iterable<string>) => replace(new Set(next)),
    clear: () => ids.size > 0 && replace(new Set()),
  };
}

export const useSelected = (selection: VideoSelection, id: string): boolean =>
  useSyncExternalStore(selection.subscribe, () => selection.current().has(id));

export const useSelection = (selection: VideoSelection): ReadonlySet<string> =>
  useSyncExternalStore(selection.subscribe, selection.current);
