import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { Checkbox, TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber } from '#ui/controls/form.tsx';

const GB = 1e9;

/** Edits which recordings of a camera are deleted. Empty fields are no limits. */
export function RetentionDialog({
  camera,
  onClose,
  onSaved,
}: {
  camera: Camera;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { t } = useLingui();
  const { days, bytes, keep_approved } = camera.retention ?? {};
  const [keepsApproved, setKeepsApproved] = useState(keep_approved ?? true);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Retention of {camera.name}</Trans>}
      action={<Trans>Save</Trans>}
      onSubmit={async (fields) => {
        const gigabytes = fieldNumber(fields, 'gigabytes');
        const limits = {
          days: fieldNumber(fields, 'days') ?? null,
          bytes: gigabytes === undefined ? null : Math.round(gigabytes * GB),
        };
        const isLimited = limits.days !== null || limits.bytes !== null;
        const retention = isLimited ? { ...limits, keep_approved: keepsApproved } : null;
        await sightline.changeCamera(camera.camera_id, { retention });
        onSaved();
      }}
    >
      <TextField
        name="days"
        label={t`Days`}
        type="number"
        min={1}
        max={36_500}
        defaultValue={days ?? ''}
        hint={t`Older recordings are deleted. Empty: they stay.`}
      />
      <TextField
        name="gigabytes"
        label={t`Size in GB`}
        type="number"
        min={0.001}
        step="any"
        defaultValue={bytes == null ? '' : bytes / GB}
        hint={t`Above this size of all recordings together, the oldest are deleted. Empty: any size.`}
      />
      <Checkbox
        checked={keepsApproved}
        onCheckedChange={setKeepsApproved}
        label={<Trans>Keep recordings with an approved event</Trans>}
      />
    </FormDialog>
  );
}
