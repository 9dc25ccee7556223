import { Trans, useLingui } from '@lingui/react/macro';
import type { Invitation } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { InviteDialogs } from './invite-dialogs.tsx';
import { invitationsQuery } from './members-query.ts';
import { ROLES } from './roles.ts';

/** Open invitations, and new ones. The link of an invitation is shown once. */
export function InvitationList() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [inviting, setInviting] = useState(false);
  const query = useInfiniteQuery(invitationsQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['invitations'] });

  async function revoke({ invitation_id }: Invitation) {
    try {
      await api.DELETE('/api/invitations/{invitation_id}', { params: { path: { invitation_id } } });
    } catch (error) {
      showError(error);
    }
    await refresh();
  }
  const inviteButton = (
    <Button icon={UserPlus} onClick={() => setInviting(true)}>
      <Trans>Invite</Trans>
    </Button>
  );
  const columns: Column<Invitation>[] = [
    { id: 'email', header: t`E-mail address`, sort: ({ email }) => email, cell: ({ email }) => email },
    { id: 'role', header: t`Role`, sort: ({ role }) => role, cell: ({ role }) => t(ROLES[role]) },
    {
      id: 'created',
      header: t`Invited`,
      className: 'num max-sm:hidden',
      sort: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
    {
      id: 'expires',
      header: t`Expires`,
      className: 'num',
      sort: ({ expires_at }) => expires_at,
      cell: ({ expires_at }) => <Ago time={expires_at} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (invitation) => (
        <Button
          look="ghost"
          aria-label={t`Revoke the invitation of ${invitation.email}`}
          onClick={() => void revoke(invitation)}
        >
          <Trans>Revoke</Trans>
        </Button>
      ),
    },
  ];
  return (
    <Section
      title={<Trans>Open invitations</Trans>}
      hint={<Trans>An invitation is a link that you send yourself. It works once.</Trans>}
      action={inviteButton}
    >
      <ListTable
        label={t`Open invitations`}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.invitations) ?? []}
        columns={columns}
        rowKey={({ invitation_id }) => invitation_id}
        empty={
          <p className="text-ink-3">
            <Trans>There are no open invitations.</Trans>
          </p>
        }
      />
      {inviting && <InviteDialogs onClose={() => setInviting(false)} />}
    </Section>
  );
}
