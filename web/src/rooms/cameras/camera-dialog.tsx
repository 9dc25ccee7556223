import { Trans, useLingui } from '@lingui/react/macro';
import type { Camera, CameraKey, CameraTest } from '@sightline/sdk';
import { useRef, useState } from 'react';
import { sightline } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { Button } from '#ui/controls/button.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldText } from '#ui/controls/form.tsx';
import { SelectField } from '#ui/controls/select.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { KeyDialog } from './key-dialog.tsx';

/**
 * Adds a camera, or gives one another name or address. Its connection can be tested before. A camera that pushes has no
 * address, and gets a key, which the dialog shows before it closes: the service does not show it again.
 */
export function CameraDialog({
  changed,
  onClose,
  onSaved,
}: {
  changed?: Camera;
  onClose: () => void;
  onSaved: (camera: Camera) => void;
}) {
  const { t } = useLingui();
  const [source, setSource] = useState(changed?.source ?? 'pull');
  const [folder, setFolder] = useState('');
  const [url, setUrl] = useState('');
  const [test, setTest] = useState<CameraTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isTesting, setTesting] = useState(false);
  const [key, setKey] = useState<CameraKey | null>(null);
  const tested = useRef('');
  /** Set if the camera was added and its key was not created: another attempt adds no second camera. */
  const added = useRef<Camera | null>(null);

  async function runTest() {
    setTesting(true);
    setError(null);
    tested.current = url;
    try {
      const result = await sightline.testCamera({ sourceUrl: url });
      // Another address may have been entered meanwhile.
      if (tested.current === url) setTest(result);
    } catch (problem) {
      setError(problem);
    } finally {
      setTesting(false);
    }
  }
  if (key) return <KeyDialog created={key} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={changed ? <Trans>Change camera</Trans> : <Trans>Add camera</Trans>}
      action={changed ? <Trans>Save</Trans> : <Trans>Add</Trans>}
      onSubmit={async (fields) => {
        const name = fieldText(fields, 'name')!;
        const source_url = fieldText(fields, 'source_url');
        const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions();
        if (changed) return onSaved(await sightline.changeCamera(changed.camera_id, { name, source_url }));
        if (!added.current) {
          const folder_id = folder || undefined;
          added.current = await sightline.addCamera({ name, source, source_url, folder_id, time_zone });
          onSaved(added.current);
        }
        if (added.current.source === 'pull') return;
        setKey(await sightline.createCameraKey(added.current.camera_id));
        return false;
      }}
    >
      <TextField
        label={t`Name`}
        name="name"
        placeholder={t`Loading bay 2`}
        defaultValue={changed?.name}
        maxLength={255}
        required
      />
      {!changed && (
        <SelectField
          label={t`Connection`}
          value={source}
          onChange={setSource}
          options={[
            { value: 'pull', label: t`Pull from an address` },
            { value: 'push', label: t`Push to this service` },
          ]}
        />
      )}
      {source === 'push' ? (
        !changed && (
          <p className="text-ink-2">
            <Trans>
              For cameras and encoders that cannot be reached, such as behind a router: they publish by RTMP, with a key
              that you get next.
            </Trans>
          </p>
        )
      ) : (
        <>
          <TextField
            label={t`Address of the stream`}
            hint={
              changed ? (
                <Trans>Leave it empty to keep {changed.source_url}.</Trans>
              ) : (
                <Trans>A user name and a password in it are encrypted and never shown.</Trans>
              )
            }
            name="source_url"
            type="url"
            placeholder="rtsp://"
            value={url}
            onChange={(event) => {
              setUrl(event.target.value);
              setTest(null);
            }}
            spellCheck={false}
            required={!changed}
          />
          <div className="grid gap-2">
            <Button
              className="justify-self-start"
              busy={isTesting}
              disabled={url.trim() === ''}
              onClick={() => void runTest()}
            >
              {isTesting ? <Trans>Testing…</Trans> : <Trans>Test connection</Trans>}
            </Button>
            {error !== null && <ErrorNotice error={error} />}
            {test && <ConnectionTest test={test} />}
          </div>
        </>
      )}
      {!changed && <FolderSelect label={t`Folder`} none={t`No folder`} value={folder} onChange={setFolder} />}
    </FormDialog>
  );
}
