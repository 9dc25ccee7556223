import { Trans } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { EmptyState } from '#ui/states.tsx';
import { RetainedText } from './retained-text.tsx';
import { StartSessionDialog } from './start-session-dialog.tsx';

/** A session without a recording: why, and how to start another one. */
export function SessionEnded({ session }: { session: LiveSessionSummary }) {
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const { message, error, source_url } = session;
  // It was analyzed, and nothing was found that is to be retained.
  const isEmpty = session.recording === 'events' && session.discarded_s > 0 && session.retained_s === 0;
  return (
    <>
      <EmptyState
        title={
          error === 'live_gone' ? (
            <Trans>The recording was deleted</Trans>
          ) : isEmpty ? (
            <Trans>No event was found, so nothing was retained</Trans>
          ) : (
            <Trans>Nothing could be recorded</Trans>
          )
        }
        action={
          <Button look="primary" icon={Plus} onClick={() => setStarting(true)}>
            <Trans>Start it again</Trans>
          </Button>
        }
      >
        <p className="break-all font-mono text-ink-3 text-sm">{source_url}</p>
        {isEmpty && <RetainedText session={session} />}
        {message && (
          <p className="mt-2 text-bad">
            <ServiceText>{message}</ServiceText>
          </p>
        )}
        {error && <p className="mt-1 select-all font-mono text-ink-3 text-xs">{error}</p>}
      </EmptyState>
      {isStarting && (
        <StartSessionDialog
          like={session}
          onClose={() => setStarting(false)}
          onStarted={(videoId) => void navigate({ to: '/videos/$videoId', params: { videoId } })}
        />
      )}
    </>
  );
}
