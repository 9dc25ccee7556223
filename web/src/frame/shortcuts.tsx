import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';

// Loaded when it is first opened.
const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

const OPEN = 'sightline:shortcuts';

/** Opens the list of keyboard shortcuts. */
export const openShortcuts = (): void => void window.dispatchEvent(new Event(OPEN));

/** True while the user types text, so that single keys are not shortcuts. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !['checkbox', 'radio', 'range', 'button'].includes((target as HTMLInputElement).type);

/** Slash moves the focus to the returned input. */
export function useSlashKey(): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return input;
}

/** Shows the list of keyboard shortcuts when `?` is pressed. */
export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  useEffect(() => {
    const show = () => {
      setOpen(true);
      setUsed(true);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) show();
    };
    window.addEventListener(OPEN, show);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener(OPEN, show);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  return <Suspense>{used && <ShortcutsDialog open={open} onClose={() => setOpen(false)} />}</Suspense>;
}
