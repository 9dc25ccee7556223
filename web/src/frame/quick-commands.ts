import type { LucideIcon } from 'lucide-react';
import { useSyncExternalStore } from 'react';

/** A command of the palette that a room provides. `run` gets the words that were typed. */
type QuickCommand = {
  id: string;
  icon: LucideIcon;
  text: string;
  /** The text with the typed words; null: the command is offered only if its text contains them. */
  withWords: ((words: string) => string) | null;
  run: (words: string) => void;
};

let provided: readonly QuickCommand[] = [];
const listeners = new Set<() => void>();

function set(commands: readonly QuickCommand[]): void {
  provided = commands;
  for (const listener of listeners) listener();
}

/** Offers commands in the palette until the returned function is called. */
export function provideCommands(commands: readonly QuickCommand[]): () => void {
  set(commands);
  return () => set([]);
}

export const useQuickCommands = (): readonly QuickCommand[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => provided,
  );
