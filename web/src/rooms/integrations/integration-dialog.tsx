import { Trans, useLingui } from '@lingui/react/macro';
import type { Integration } from '@sightline/sdk';
import { useState } from 'react';
import { Checkbox } from '#ui/controls/field.tsx';
import { FormDialog } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { CredentialFields, LocationFields } from './integration-fields.tsx';
import { type IntegrationType, TYPES } from './integration-query.ts';
import { changeIntegration, createIntegration } from './save-integration.ts';

/** Adds an integration, or changes `changed`. It is tested before it is saved. */
export function IntegrationDialog({
  changed,
  onClose,
  onSaved,
}: {
  changed: Integration | null;
  onClose: () => void;
  onSaved: (integration: Integration) => void;
}) {
  const { t } = useLingui();
  const [type, setType] = useState<IntegrationType>(changed?.type ?? 's3');
  const [shared, setShared] = useState(changed ? changed.scope === 'org' : true);
  const [replacing, setReplacing] = useState(changed === null);
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={changed ? <Trans>Edit {changed.name}</Trans> : <Trans>Add an integration</Trans>}
      action={<Trans>Test and save</Trans>}
      onSubmit={async (fields) => {
        const scope = shared ? 'org' : 'user';
        onSaved(
          changed
            ? await changeIntegration(changed, { fields, scope, withCredentials: replacing })
            : await createIntegration(type, { fields, scope }),
        );
      }}
    >
      {changed === null && (
        <SelectField
          label={t`Type`}
          value={type}
          options={Object.entries(TYPES).map(([value, name]) => ({ value: value as IntegrationType, label: t(name) }))}
          onChange={setType}
        />
      )}
      <div key={type} className="grid gap-3">
        <LocationFields type={type} integration={changed} />
        {changed && type !== 's3_storage_transfer' && (
          <Checkbox label={t`Replace the credentials`} checked={replacing} onCheckedChange={(on) => setReplacing(on)} />
        )}
        {(replacing || type === 's3_storage_transfer') && <CredentialFields type={type} integration={changed} />}
      </div>
      <Checkbox
        label={t`Everyone in the organization may import with it`}
        checked={shared}
        onCheckedChange={(on) => setShared(on)}
      />
    </FormDialog>
  );
}
