import { Trans } from '@lingui/react/macro';
import type { LiveSessionSummary } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';

/** Asks before it ends a session; null: none. */
export function EndSessionDialog({
  session,
  onClose,
}: {
  session: Pick<LiveSessionSummary, 'stream_id' | 'session_id' | 'name'> | null;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      open={session !== null}
      onClose={onClose}
      title={<Trans>End the session “{session?.name ?? ''}”?</Trans>}
      action={<Trans>End session</Trans>}
      look="danger"
      onConfirm={async () => {
        const { stream_id, session_id } = session!;
        await api.POST('/api/live/end-session', { body: { stream_id, session_id } });
        await Promise.all([
          queries.invalidateQueries({ queryKey: ['live-sessions'] }),
          queries.invalidateQueries({ queryKey: ['live-session', session_id] }),
        ]);
      }}
    >
      <Trans>Its recording stays in the library, with its events.</Trans>
    </ConfirmDialog>
  );
}
