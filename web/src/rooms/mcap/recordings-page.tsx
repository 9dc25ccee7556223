import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Upload } from 'lucide-react';
import { useState } from 'react';
import { Title } from '#frame/page-slots.tsx';
import { Button } from '#ui/controls/button.tsx';
import { IngestList } from './ingest-list.tsx';
import { LiveRecordings } from './live-recordings.tsx';
import { Recording } from './recording.tsx';
import { UploadRecordingDialog } from './upload-recording-dialog.tsx';

/** Recordings of robots (MCAP) and of livestreams. The selected recording of a robot is in the address. */
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
    <div className="p-4.5 md:py-6">
      <Title text={t`Recordings`} />
      {ingest ? (
        <>
          <Link to="/recordings" search={{}} className="mb-3 inline-flex items-center gap-1 text-ink-2 hover:text-ink">
            <ArrowLeft size={14} aria-hidden />
            <Trans>All recordings</Trans>
          </Link>
          <Recording id={ingest} />
        </>
      ) : (
        <>
          <IngestList action={uploadButton} />
          <LiveRecordings />
        </>
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
