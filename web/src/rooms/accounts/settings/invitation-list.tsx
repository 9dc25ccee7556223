import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedInvitation, Invitation } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useSession } from '#api/session.ts';
import { Button } from '#ui/controls/button.tsx';
import { CopyField } from '#ui/controls/copy.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { invitationsQuery } from './members-query.ts';
import { ROLE_HINTS, ROLES, type Role, rolesGivenBy } from './roles.ts';

const DEFAULT_DAYS = 7;

/** Open invitations, and new ones. The link of an invitation is shown once. */
export function InvitationList() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [inviting, setInviting] = useState(false);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
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
      {inviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onCreated={(invitation) => {
            setCreated(invitation);
            void refresh();
          }}
        />
      )}
      <Dialog open={created !== null} onClose={() => setCreated(null)} title={<Trans>Invitation created</Trans>}>
        <p className="mb-3 text-ink-2">
          <Trans>Send this link to {created?.email}. It is shown only now.</Trans>
        </p>
        <CopyField label={t`Invitation link`} text={created?.url ?? ''} />
      </Dialog>
    </Section>
  );
}

function InviteDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (invitation: CreatedInvitation) => void;
}) {
  const { t } = useLingui();
  const { role: own } = useSession();
  const [role, setRole] = useState<Role>('member');
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Invite someone</Trans>}
      action={<Trans>Create invitation</Trans>}
      onSubmit={async (fields) => {
        const email = fieldText(fields, 'email')!;
        const expires_in_days = fieldNumber(fields, 'days');
        onCreated((await api.POST('/api/invitations', { body: { email, role, expires_in_days } })).data!);
      }}
    >
      <TextField label={t`E-mail address`} name="email" type="email" required />
      <SelectField
        label={t`Role`}
        value={role}
        options={rolesGivenBy(own).map((value) => ({ value, label: t(ROLES[value]) }))}
        onChange={setRole}
      />
      <p className="text-ink-3 text-sm">{t(ROLE_HINTS[role])}</p>
      <TextField label={t`Valid for days`} name="days" type="number" min={1} max={30} defaultValue={DEFAULT_DAYS} />
    </FormDialog>
  );
}
