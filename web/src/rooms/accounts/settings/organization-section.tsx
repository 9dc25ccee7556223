import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { sessionQuery, useIsAdmin, useSession } from '#api/session.ts';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { Form, FormDialog, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Facts, Section } from '#ui/section.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { membersQuery } from './members-query.ts';

export function OrganizationSection() {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const query = useQuery({
    queryKey: ['organization'],
    queryFn: async ({ signal }) => (await api.GET('/api/organization', { signal })).data!,
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-40" />;
  const { name, org_id, created_at } = query.data;
  return (
    <>
      <Section title={<Trans>Organization</Trans>} hint={<Trans>All members share the objects of scope “org”.</Trans>}>
        {isAdmin && (
          <Form
            action={t`Save`}
            className="mb-5"
            onSubmit={async (fields) => {
              const { data } = await api.PATCH('/api/organization', { body: { name: fieldText(fields, 'name')! } });
              queryClient.setQueryData(['organization'], data);
              await queryClient.invalidateQueries(sessionQuery);
              show(t`The organization was renamed.`);
            }}
          >
            <TextField label={t`Name of the organization`} name="name" defaultValue={name} maxLength={100} required />
          </Form>
        )}
        <Facts
          facts={[
            ...(isAdmin ? [] : [[t`Name`, name] as const]),
            [t`Created`, formatDateTime(created_at)],
            [t`Identifier`, org_id],
          ]}
        />
      </Section>
      {isAdmin && <SecondFactorRequirement required={query.data.second_factor_required} />}
      {role === 'owner' && <Ownership />}
    </>
  );
}

/** Whether members need a second factor to sign in with a password. */
function SecondFactorRequirement({ required }: { required: boolean }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const [open, setOpen] = useState(false);
  async function change() {
    const { data } = await api.PATCH('/api/organization', { body: { second_factor_required: !required } });
    queryClient.setQueryData(['organization'], data);
    show(required ? t`A second factor is optional now.` : t`A second factor is required now.`);
  }
  return (
    <Section
      title={<Trans>Two-factor sign-in</Trans>}
      hint={
        required ? (
          <Trans>
            Members who sign in with a password need a second factor. Those without one can only set it up. Single
            sign-on and API keys are not affected.
          </Trans>
        ) : (
          <Trans>Members may set up a second factor. You can require it from everybody who has a password.</Trans>
        )
      }
      action={
        <Button onClick={() => setOpen(true)}>
          {required ? <Trans>Make optional</Trans> : <Trans>Require</Trans>}
        </Button>
      }
    >
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={required ? <Trans>Make the second factor optional?</Trans> : <Trans>Require a second factor?</Trans>}
        action={required ? <Trans>Make optional</Trans> : <Trans>Require</Trans>}
        look={required ? 'danger' : 'primary'}
        onConfirm={change}
      >
        {required ? (
          <Trans>Members may then turn theirs off. Those who have one need it until they do.</Trans>
        ) : (
          <Trans>Members without one must set it up before they can continue, also those who are signed in now.</Trans>
        )}
      </ConfirmDialog>
    </Section>
  );
}

function Ownership() {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={<Trans>Ownership</Trans>}
      hint={<Trans>Make another member the owner. You become an admin.</Trans>}
      action={
        <Button look="danger" onClick={() => setOpen(true)}>
          <Trans>Transfer ownership</Trans>
        </Button>
      }
    >
      {open && <TransferDialog onClose={() => setOpen(false)} title={t`Transfer ownership`} />}
    </Section>
  );
}

function TransferDialog({ onClose, title }: { onClose: () => void; title: string }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { user_id: own } = useSession();
  const { show } = useToasts();
  const [chosen, setChosen] = useState('');
  const members = useInfiniteQuery(membersQuery);
  const others = (members.data?.pages.flatMap((page) => page.members) ?? []).filter(({ user_id }) => user_id !== own);
  const options = others.map(({ user_id, name, email }) => ({ value: user_id, label: `${name} (${email})` }));
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      action={title}
      disabled={!chosen}
      onSubmit={async () => {
        await api.POST('/api/organization/transfer', { body: { user_id: chosen } });
        await Promise.all([
          queryClient.invalidateQueries(sessionQuery),
          queryClient.invalidateQueries({ queryKey: ['members'] }),
        ]);
        show(t`The ownership was transferred.`);
      }}
    >
      <p className="text-ink-2">
        <Trans>The new owner can remove you and change your role. Only they can transfer the ownership back.</Trans>
      </p>
      <SelectField
        label={t`New owner`}
        value={chosen}
        options={[{ value: '', label: t`Choose a member` }, ...options]}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
