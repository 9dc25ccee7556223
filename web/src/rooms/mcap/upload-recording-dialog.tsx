import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { sightline } from '#api/client.ts';
import { FolderSelect } from '#rooms/folders/folder-select.tsx';
import { TextField } from '#ui/controls/field.tsx';
import { FormDialog, fieldNumber } from '#ui/controls/form.tsx';
import { formatBytes } from '#ui/format/format.ts';
import { ProgressBar } from '#ui/states.tsx';

/** Uploads an MCAP file and starts its processing. Closing the dialog aborts the upload. */
export function UploadRecordingDialog({
  onClose,
  onUploaded,
}: {
  onClose: () => void;
  onUploaded: (ingestId: string) => void;
}) {
  const { t } = useLingui();
  const [folder, setFolder] = useState('');
  const [sending, setSending] = useState<File | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={<Trans>Upload a recording</Trans>}
      action={<Trans>Upload</Trans>}
      onSubmit={async (fields) => {
        const file = fields.get('file') as File;
        abort.current = new AbortController();
        setSending(file);
        try {
          const { mcap_ingest_id } = await sightline.uploadRecording(file, {
            name: file.name,
            folderId: folder || undefined,
            chunkSize: fieldNumber(fields, 'chunk_size'),
            signal: abort.current.signal,
          });
          onUploaded(mcap_ingest_id);
        } finally {
          setSending(null);
        }
      }}
    >
      <TextField label={t`MCAP file`} name="file" type="file" accept=".mcap" required />
      <FolderSelect label={t`Folder`} none={t`No folder`} value={folder} onChange={setFolder} />
      <TextField
        label={t`Split into videos of seconds`}
        hint={t`Empty: one video for each camera`}
        name="chunk_size"
        type="number"
        min={1}
      />
      {sending && (
        <div className="grid gap-1">
          <p className="num text-ink-2">
            <Trans>
              Uploading {sending.name}, {formatBytes(sending.size)}
            </Trans>
          </p>
          <ProgressBar label={t`Upload`} value={null} />
        </div>
      )}
    </FormDialog>
  );
}
