import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedInvitation } from '@sightline/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useSession } from '#api/session.ts';
import { CopyField } from '#ui/controls/copy.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { ROLE_HINTS, ROLES, type Role, rolesGivenBy } from './roles.ts';

const DEFAULT_DAYS = 7;

/** Invites someone: a form, then the link of the invitation, which is shown once. */
export function InviteDialogs({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  if (created === null)
    return (
      <InviteForm
        onClose={onClose}
        onCreated={(invitation) => {
          setCreated(invitation);
          void queries.invalidateQueries({ queryKey: ['invitations'] });
        }}
      />
    );
  return (
    <Dialog open onClose={onClose} title={<Trans>Invitation created</Trans>}>
      <p className="mb-3 text-ink-2">
        <Trans>Send this link to {created.email}. It is shown only now.</Trans>
      </p>
      <CopyField label={t`Invitation link`} text={created.url} />
    </Dialog>
  );
}

function InviteForm({
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
        // The link replaces the form.
        return false;
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
