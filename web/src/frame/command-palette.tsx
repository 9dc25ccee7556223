import { useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Keys } from '#ui/controls/keys.tsx';

// Loaded when it is first opened.
const PaletteDialog = lazyComponent(async () => (await import('./palette-dialog.tsx')).PaletteDialog);

/** The search box of the frame: pages, commands and videos by name. */
export function CommandPalette() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  /** Characters typed while the dialog opens, which would be lost or taken as shortcuts of the page; then null. */
  const typed = useRef<string | null>(null);
  /** The element that gets the focus back. */
  const focused = useRef<HTMLElement | null>(null);
  const show = (next: boolean) => {
    if (next) focused.current = document.activeElement as HTMLElement | null;
    setOpen(next);
    setUsed(true);
    typed.current = next ? '' : null;
  };
  const takeTyped = () => {
    const text = typed.current ?? '';
    typed.current = null;
    return text;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` only sets states.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasControl = event.ctrlKey || event.metaKey;
      const isShortcut = hasControl && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k';
      if (isShortcut) event.repeat || show(!open);
      else if (typed.current === null) return;
      else if (event.key === 'Escape') show(false);
      else if (!hasControl && event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [open]);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => show(true)}
        className="flex h-7.5 shrink-0 items-center gap-2 rounded-md border bg-raise px-2.5 text-ink-3 hover:border-strong-line lg:w-80"
      >
        <Search size={15} aria-hidden />
        <span className="max-lg:sr-only">{t`Search events and videos`}</span>
        <span className="ml-auto flex gap-1 max-lg:hidden" aria-hidden>
          <Keys>Ctrl</Keys>
          <Keys>K</Keys>
        </span>
      </button>
      <Suspense>
        {used && <PaletteDialog open={open} onOpenChange={show} takeTyped={takeTyped} finalFocus={focused} />}
      </Suspense>
    </>
  );
}
