import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';

const MAX_ROLL_S = 600;

/** Edits what of a camera is recorded: all of it, or only what is around the events of its questions. */
export function RecordingDialog({
  camera,
  onClose,
  onSaved,
}: {
  camera: Camera;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { t } = useLingui();
  const [recording, setRecording] = useState(camera.recording);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Recording of {camera.name}</Trans>}
      action={<Trans>Save</Trans>}
      onSubmit={async (fields) => {
        await sightline.changeCamera(camera.camera_id, {
          recording,
          pre_roll_s: fieldNumber(fields, 'pre_roll_s'),
          post_roll_s: fieldNumber(fields, 'post_roll_s'),
        });
        onSaved();
      }}
    >
      <SelectField
        label={t`What is recorded`}
        value={recording}
        onChange={setRecording}
        options={[
          { value: 'continuous', label: t`Everything` },
          { value: 'events', label: t`Only around events` },
        ]}
      />
      {recording === 'events' && (
        <>
          <p className="text-ink-2">
            <Trans>
              Everything is received and analyzed. What the questions find nothing in is deleted, and cannot be asked
              about later.
            </Trans>
          </p>
          <TextField
            name="pre_roll_s"
            label={t`Seconds before an event`}
            type="number"
            min={0}
            max={MAX_ROLL_S}
            step="any"
            defaultValue={camera.pre_roll_s}
            required
          />
          <TextField
            name="post_roll_s"
            label={t`Seconds after an event`}
            type="number"
            min={0}
            max={MAX_ROLL_S}
            step="any"
            defaultValue={camera.post_roll_s}
            required
          />
        </>
      )}
    </FormDialog>
  );
}
