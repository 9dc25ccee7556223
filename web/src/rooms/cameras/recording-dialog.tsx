import { Trans } from '@lingui/react/macro';
import type { Camera } from '@sightline/sdk';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { RecordingFields, rollsOf } from '#rooms/live/recording-fields.tsx';
import { FormDialog } from '#ui/controls/form.tsx';

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
  const [recording, setRecording] = useState(camera.recording);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Recording of {camera.name}</Trans>}
      action={<Trans>Save</Trans>}
      onSubmit={async (fields) => {
        await sightline.changeCamera(camera.camera_id, { recording, ...rollsOf(fields) });
        onSaved();
      }}
    >
      <RecordingFields
        recording={recording}
        onChange={setRecording}
        preRollS={camera.pre_roll_s}
        postRollS={camera.post_roll_s}
      />
    </FormDialog>
  );
}
