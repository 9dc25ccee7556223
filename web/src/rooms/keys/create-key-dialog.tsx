import { Trans, useLingui } from '@lingui/react/macro';
import type { CreatedApiKey } from '@sightline/sdk';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber, fieldText } from '#ui/controls/form.tsx';

const DEFAULT_DAYS = 90;
const SCOPES = ['read', 'write', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (key: CreatedApiKey) => void;
}) {
  const { t } = useLingui();
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'write']);
  const [folder, setFolder] = useState('');
  const isAdminKey = scopes.includes('admin');
  const scopeTexts = {
    read: t`Read: videos, analyses, playback`,
    write: t`Write: upload, ask, change and delete`,
    admin: t`Admin: members, keys, audit log`,
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Create a key</Trans>}
      action={<Trans>Create key</Trans>}
      disabled={scopes.length === 0}
      onSubmit={async (fields) => {
        const body = {
          name: fieldText(fields, 'name')!,
          scopes: [...scopes],
          expires_in_days: fieldNumber(fields, 'days'),
          folder_id: (!isAdminKey && folder) || undefined,
        };
        onCreated((await api.POST('/api/keys', { body })).data!);
      }}
    >
      <TextField label={t`Name`} name="name" placeholder={t`Nightly upload`} maxLength={255} required />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 font-medium text-ink-2 text-sm">
          <Trans>Permissions</Trans>
        </legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={scopeTexts[scope]}
            checked={scopes.includes(scope)}
            onCheckedChange={(on) => setScopes(SCOPES.filter((each) => (each === scope ? on : scopes.includes(each))))}
          />
        ))}
      </fieldset>
      <FolderSelect
        label={t`Limited to a folder`}
        none={t`All folders`}
        value={isAdminKey ? '' : folder}
        onChange={setFolder}
        disabled={isAdminKey}
      />
      <TextField
        label={t`Valid for days`}
        hint={t`The operator of the service may have set a maximum.`}
        name="days"
        type="number"
        min={1}
        defaultValue={DEFAULT_DAYS}
        required
      />
    </FormDialog>
  );
}
