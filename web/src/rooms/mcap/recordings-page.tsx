import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { Button } from '#ui/button.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState } from '#ui/states.tsx';
import { Recording } from './recording.tsx';
import { UploadRecordingDialog } from './upload-recording-dialog.tsx';

/** Robot recordings (MCAP): upload one, and what became of it. The selected recording is in the address. */
export function RecordingsPage() {
  const { t } = useLingui();
  const { ingest } = useSearch({ from: '/app/recordings' });
  const navigate = useNavigate({ from: '/recordings' });
  const [uploading, setUploading] = useState(false);
  const uploadButton = (
    <Button look="primary" icon={Upload} onClick={() => setUploading(true)}>
      <Trans>Upload a recording</Trans>
    </Button>
  );
  return (
    <div className="mx-auto max-w-6xl p-4.5 md:py-6">
      <Title text={t`Recordings`} />
      {ingest ? (
        <Recording id={ingest} action={uploadButton} />
      ) : (
        <Section
          title={<Trans>Recordings of robots and vehicles</Trans>}
          hint={<Trans>Each camera of an MCAP file becomes a video with its telemetry. All share one clock.</Trans>}
        >
          <EmptyState title={<Trans>Open a recording</Trans>} action={uploadButton}>
            <Trans>Upload an MCAP file, or import files from a bucket.</Trans>
          </EmptyState>
        </Section>
      )}
      {uploading && (
        <UploadRecordingDialog
          onClose={() => setUploading(false)}
          onUploaded={(id) => void navigate({ search: { ingest: id } })}
        />
      )}
    </div>
  );
}
