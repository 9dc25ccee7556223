import { Popover } from '@base-ui/react/popover';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';
import { POPUP } from '#ui/overlays/popup.ts';
import { alertsQuery } from './queries.ts';

// Loaded when it is first opened.
const AlertList = lazyComponent(async () => (await import('./alert-list.tsx')).AlertList);

/** The service counts no further. */
const MOST = 100;

/** The alerts of saved questions above every page: how many are new, and the list of them. */
export function AlertBell() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { data } = useInfiniteQuery(alertsQuery);
  const unread = data?.pages[0]?.unread ?? 0;
  const count = `${formatNumber(unread)}${unread === MOST ? '+' : ''}`;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread > 0 ? t`Alerts, ${count} new` : t`Alerts`}
        className="relative inline-flex h-7.5 w-7.5 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-raise hover:text-ink"
      >
        <Bell size={16} strokeWidth={1.75} aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="num absolute -top-0.5 -right-1 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 font-semibold text-accent-ink text-xs"
          >
            {count}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" className="z-40">
          <Popover.Popup
            className={classes(POPUP, 'flex max-h-[min(80dvh,640px)] w-[min(calc(100vw-16px),400px)] flex-col p-0')}
          >
            <div className="flex items-center gap-2 border-b px-3 py-2">
              <Popover.Title className="mr-auto font-semibold">
                <Trans>Alerts</Trans>
              </Popover.Title>
              {unread > 0 && (
                <span className="num text-ink-3 text-sm">
                  <Plural value={unread} one="# new" other="# new" />
                </span>
              )}
            </div>
            <Suspense>
              <AlertList onClose={() => setOpen(false)} />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
