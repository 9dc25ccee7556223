import type { ReactNode } from 'react';

/** A key of the keyboard, such as the shortcut of a command. Touch screens have none. */
export function Keys({ children }: { children: ReactNode }) {
  return (
    <kbd className="pointer-coarse:hidden rounded-sm border border-b-2 bg-panel px-1 font-sans text-ink-2 text-xs leading-4">
      {children}
    </kbd>
  );
}
