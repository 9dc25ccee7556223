import { Trans, useLingui } from '@lingui/react/macro';
import type { Member } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useIsAdmin, useSession } from '#api/session.ts';
import { Button } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { InvitationList } from './invitation-list.tsx';
import { membersQuery } from './members-query.ts';
import { ROLES, type Role, rolesGivenBy } from './roles.ts';

export function MembersSection() {
  const isAdmin = useIsAdmin();
  return (
    <>
      <MemberList />
      {isAdmin && <InvitationList />}
    </>
  );
}

function MemberList() {
  const { t } = useLingui();
  const session = useSession();
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [removing, setRemoving] = useState<Member | null>(null);
  const [resetting, setResetting] = useState<Member | null>(null);
  const query = useInfiniteQuery(membersQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['members'] });
  /** Members of a higher rank cannot be managed, and nobody manages themselves here. */
  const canManage = ({ user_id, role }: Member) =>
    isAdmin && user_id !== session.user_id && rolesGivenBy(session.role).includes(role);

  async function changeRole(member: Member, role: Role) {
    try {
      const path = { user_id: member.user_id };
      await api.PATCH('/api/members/{user_id}', { params: { path }, body: { role } });
    } catch (error) {
      showError(error);
    }
    await refresh();
  }

  const columns: Column<Member>[] = [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: ({ name, email, user_id }) => (
        <div className="min-w-0">
          <p className="truncate font-medium">
            {name}
            {user_id === session.user_id && <span className="font-normal text-ink-3"> {t`(you)`}</span>}
          </p>
          <p className="truncate text-ink-2 text-sm">{email}</p>
        </div>
      ),
    },
    {
      id: 'role',
      header: t`Role`,
      sort: ({ role }) => role,
      cell: (member) =>
        canManage(member) ? (
          <Select
            label={t`Role of ${member.email}`}
            value={member.role}
            options={rolesGivenBy(session.role).map((role) => ({ value: role, label: t(ROLES[role]) }))}
            onChange={(role) => void changeRole(member, role)}
          />
        ) : (
          t(ROLES[member.role])
        ),
    },
    {
      id: 'sign-in',
      header: t`Signs in by`,
      className: 'max-md:hidden',
      cell: ({ has_password, has_sso, has_second_factor }) =>
        [has_password && (has_second_factor ? t`Password and code` : t`Password`), has_sso && t`Single sign-on`]
          .filter(Boolean)
          .join(', ') || '–',
    },
    {
      id: 'joined',
      header: t`Joined`,
      className: 'num max-sm:hidden',
      sort: ({ joined_at }) => joined_at,
      cell: ({ joined_at }) => <Ago time={joined_at} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (member) =>
        canManage(member) && (
          <div className="flex justify-end gap-1 max-sm:flex-col max-sm:items-end">
            {member.has_second_factor && (
              <Button
                look="ghost"
                aria-label={t`Reset the second factor of ${member.email}`}
                onClick={() => setResetting(member)}
              >
                <Trans>Reset code</Trans>
              </Button>
            )}
            <Button look="ghost" aria-label={t`Remove ${member.email}`} onClick={() => setRemoving(member)}>
              <Trans>Remove</Trans>
            </Button>
          </div>
        ),
    },
  ];
  return (
    <Section title={<Trans>Members</Trans>}>
      <ListTable
        label={t`Members`}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.members) ?? []}
        columns={columns}
        rowKey={({ user_id }) => user_id}
        empty={null}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={<Trans>Remove {removing?.email}?</Trans>}
        action={<Trans>Remove member</Trans>}
        look="danger"
        onConfirm={async () => {
          await api.DELETE('/api/members/{user_id}', { params: { path: { user_id: removing!.user_id } } });
          await refresh();
        }}
      >
        <Trans>They are signed out everywhere and their API keys stop working. Their videos stay.</Trans>
      </ConfirmDialog>
      <ConfirmDialog
        open={resetting !== null}
        onClose={() => setResetting(null)}
        title={<Trans>Reset the second factor of {resetting?.email}?</Trans>}
        action={<Trans>Reset second factor</Trans>}
        look="danger"
        onConfirm={async () => {
          const path = { user_id: resetting!.user_id };
          await api.DELETE('/api/members/{user_id}/second-factor', { params: { path } });
          await refresh();
        }}
      >
        <Trans>
          For somebody who has lost their app and their recovery codes. They are signed out everywhere, and sign in with
          their password alone until they set up another one. Make sure that it is really them who asks.
        </Trans>
      </ConfirmDialog>
    </Section>
  );
}
