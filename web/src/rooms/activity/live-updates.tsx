import { Trans } from '@lingui/react/macro';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { followActivity } from './follow-activity.ts';

/** Keeps all pages up to date, with a quiet notice while that is interrupted. */
export function LiveUpdates() {
  const queries = useQueryClient();
  const [isInterrupted, setInterrupted] = useState(false);
  const isOnline = useSyncExternalStore(subscribe, isOnlineNow);
  useEffect(() => {
    const leaving = new AbortController();
    void followActivity(queries, setInterrupted, leaving.signal);
    return () => leaving.abort();
  }, [queries]);
  return (
    <div role="status" className="pointer-events-none fixed bottom-3 left-3 z-20">
      {(isInterrupted || !isOnline) && (
        <p className="flex items-center gap-2 rounded-md border bg-panel px-2.5 py-1.5 text-ink-2 text-sm shadow-float">
          <CloudOff size={14} aria-hidden />
          <Trans>Live updates are interrupted. Trying again…</Trans>
        </p>
      )}
    </div>
  );
}

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnlineNow = () => onlineManager.isOnline();
