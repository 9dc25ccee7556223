import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { refreshDatasets, VERSIONS_PATH } from './queries.ts';

/** Freezes a version of a dataset. */
export function FreezeDialog({ datasetId, onClose }: { datasetId: string; onClose: () => void }) {
  const { t } = useLingui();
  const [approval, setApproval] = useState<'' | 'approved' | 'rejected'>('');
  const percent = { type: 'number', min: 0, max: 99, step: 1, placeholder: '0' } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Freeze a version</Trans>}
      action={<Trans>Freeze</Trans>}
      onSubmit={async (fields) => {
        const share = (name: string) => (fieldNumber(fields, name) ?? 0) / 100;
        const shares = { val_share: share('val'), test_share: share('test') };
        const isSplit = shares.val_share + shares.test_share > 0;
        await api.POST(VERSIONS_PATH, {
          params: { path: { dataset_id: datasetId } },
          body: {
            name: fieldText(fields, 'name'),
            approval: approval || undefined,
            ...(isSplit && { ...shares, seed: fieldText(fields, 'seed') }),
          },
        });
        await refreshDatasets();
      }}
    >
      <TextField label={t`Name`} name="name" maxLength={255} placeholder={t`Version and its number`} />
      <SelectField
        label={t`Events`}
        value={approval}
        onChange={setApproval}
        options={[
          { value: '', label: t`All events` },
          { value: 'approved', label: t`Approved events only` },
          { value: 'rejected', label: t`Rejected events only` },
        ]}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label={t`Validation split, percent`} name="val" {...percent} />
        <TextField label={t`Test split, percent`} name="test" {...percent} />
      </div>
      <TextField label={t`Seed of the splits`} hint={t`Another seed draws other splits.`} name="seed" maxLength={255} />
    </FormDialog>
  );
}
