import { Trans, useLingui } from '@lingui/react/macro';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Activity, PanelLeft } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { classes } from '#ui/classes.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { CommandPalette } from './command-palette.tsx';
import { PageSlots, PageTitle } from './page-slots.tsx';
import { Places } from './places.tsx';
import { Shortcuts } from './shortcuts.tsx';

// Not needed for the first paint.
const PersonMenu = lazyComponent(async () => (await import('./person-menu.tsx')).PersonMenu);

/**
 * The frame of every page for signed-in users: navigation on the left, title and search above, the page itself.
 * `actions` are beside the search; `children` are shown on all pages, such as running uploads.
 */
export function Shell({ actions, children }: { actions?: ReactNode; children?: ReactNode }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page change closes the navigation of a narrow screen.
  useEffect(() => setOpen(false), [path]);

  return (
    <PageSlots>
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 font-semibold text-accent-ink focus:translate-y-0"
      >
        <Trans>Skip to the page</Trans>
      </a>
      <div className="grid h-dvh grid-cols-1 grid-rows-[48px_minmax(0,1fr)] md:grid-cols-[196px_minmax(0,1fr)]">
        <nav
          aria-label={t`Main`}
          className={classes(
            'row-span-2 flex-col gap-0.5 border-r bg-bg p-2.5 md:flex',
            open ? 'fixed inset-y-0 left-0 z-30 flex w-56 shadow-float' : 'hidden',
          )}
        >
          <Link to="/" className="mb-3 flex items-center gap-2 px-2 pt-1 font-semibold text-lg tracking-tight">
            <Activity size={18} className="text-accent-text" aria-hidden />
            Sightline
          </Link>
          <Places />
        </nav>
        {open && (
          <button
            type="button"
            aria-label={t`Close the navigation`}
            onClick={() => setOpen(false)}
            className="fixed inset-0 z-20 bg-black/50 md:hidden"
          />
        )}
        <header className="flex min-w-0 items-center gap-2 border-b px-3 md:px-4.5">
          <IconButton
            icon={PanelLeft}
            label={t`Open the navigation`}
            className="md:hidden"
            aria-expanded={open}
            onClick={() => setOpen(true)}
          />
          <div className="min-w-0 flex-1 truncate">
            <PageTitle />
          </div>
          <CommandPalette />
          <Suspense fallback={<div className="size-7.5 shrink-0" />}>{actions}</Suspense>
          <Suspense fallback={<div className="size-7 shrink-0 rounded-full bg-raise" />}>
            <PersonMenu />
          </Suspense>
        </header>
        <main id="page" tabIndex={-1} className="min-h-0 min-w-0 overflow-y-auto outline-none">
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Shortcuts />
      {children}
    </PageSlots>
  );
}
