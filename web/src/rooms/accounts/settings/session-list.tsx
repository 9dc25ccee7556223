import { Trans, useLingui } from '@lingui/react/macro';
import type { Session } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatAgo } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { Badge } from '#ui/states.tsx';
import { clientName } from './user-agent.ts';

/** The browsers in which the user is signed in. */
export function SessionList() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { showError } = useToasts();
  const [ending, setEnding] = useState(false);
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await api.GET('/api/auth/sessions', { signal })).data!.sessions,
  });
  const methods = { password: t`Password`, link: t`Link`, sso: t`Single sign-on` };

  async function end({ session_id }: Session) {
    try {
      await api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id } } });
    } catch (error) {
      showError(error);
    }
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
  }
  async function endAll() {
    await api.POST('/api/auth/sign-out-everywhere', {});
    queryClient.clear();
    await navigate({ to: '/welcome', search: {} });
  }

  const columns: Column<Session>[] = [
    {
      id: 'browser',
      header: t`Browser`,
      cell: (session) => (
        <span className="flex items-center gap-2">
          <span className="truncate">{clientName(session.user_agent) ?? t`Unknown`}</span>
          {session.current && <Badge tone="accent">{t`This browser`}</Badge>}
        </span>
      ),
    },
    { id: 'method', header: t`Signed in by`, cell: ({ method }) => methods[method], className: 'max-sm:hidden' },
    {
      id: 'address',
      header: t`Address`,
      cell: ({ address }) => <span className="num">{address}</span>,
      className: 'max-md:hidden',
    },
    {
      id: 'created',
      header: t`Signed in`,
      cell: ({ created_at }) => <Ago time={created_at} />,
      sort: ({ created_at }) => created_at,
      className: 'num',
    },
    {
      id: 'expires',
      header: t`Expires`,
      cell: ({ expires_at }) => formatAgo(expires_at),
      sort: ({ expires_at }) => expires_at,
      className: 'num max-sm:hidden',
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (session) =>
        !session.current && (
          <Button look="ghost" onClick={() => void end(session)}>
            <Trans>Sign out</Trans>
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={<Trans>Where you are signed in</Trans>}
      action={
        <Button look="danger" onClick={() => setEnding(true)}>
          <Trans>Sign out everywhere</Trans>
        </Button>
      }
    >
      <ListTable
        label={t`Your sessions`}
        query={query}
        rows={query.data ?? []}
        columns={columns}
        rowKey={({ session_id }) => session_id}
        empty={null}
      />
      <ConfirmDialog
        open={ending}
        onClose={() => setEnding(false)}
        title={<Trans>Sign out everywhere?</Trans>}
        action={<Trans>Sign out everywhere</Trans>}
        look="danger"
        onConfirm={endAll}
      >
        <Trans>All your browsers are signed out, this one too. API keys stay valid.</Trans>
      </ConfirmDialog>
    </Section>
  );
}
