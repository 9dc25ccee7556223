import { Suspense } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { Shell } from '#frame/shell.tsx';

// Not needed for the first paint.
const UploadsFrame = lazyComponent(async () => (await import('#rooms/uploads/uploads-frame.tsx')).UploadsFrame);

const AlertBell = lazyComponent(async () => (await import('#rooms/alerts/alert-bell.tsx')).AlertBell);

const QuickActions = lazyComponent(async () => (await import('#rooms/commands/quick-actions.tsx')).QuickActions);

const LiveUpdates = lazyComponent(async () => (await import('#rooms/activity/live-updates.tsx')).LiveUpdates);

/** The frame with what lives on all pages: uploads and live updates continue while the user visits others. */
export function App() {
  return (
    <Shell actions={<AlertBell />}>
      <Suspense>
        <UploadsFrame />
      </Suspense>
      <Suspense>
        <QuickActions />
      </Suspense>
      <Suspense>
        <LiveUpdates />
      </Suspense>
    </Shell>
  );
}
