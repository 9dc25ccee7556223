import { useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Keys } from '#ui/controls/keys.tsx';

// Loaded when it is first opened.
const PaletteDialog = lazyComponent(async () => (await import('./palette-dialog.tsx')).PaletteDialog);

/** The search box of the frame: pages, commands and videos by name. */
export function CommandPalette() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const show = (next: boolean) => {
    setOpen(next);
    setUsed(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` only sets states.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      show(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
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
      <Suspense>{used && <PaletteDialog open={open} onOpenChange={show} />}</Suspense>
    </>
  );
}
