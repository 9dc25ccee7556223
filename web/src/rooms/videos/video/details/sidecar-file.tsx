import { Trans, useLingui } from '@lingui/react/macro';
import type { VideoStatus } from '@sightline/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { FileButton } from '#ui/controls/file-button.tsx';
import { formatBytes } from '#ui/format/format.ts';
import { ErrorNotice } from '#ui/states.tsx';

type Summary = { name?: unknown; filename?: unknown; size_bytes?: unknown; fields?: unknown };

/** The data that was recorded together with a video, such as telemetry: its summary, and a button to replace it. */
export function SidecarFile({ video }: { video: VideoStatus }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const params = { path: { video_id: video.video_id }, query: { filename: file.name } };
      // The API detects the format from the content.
      await api.PUT('/api/video/{video_id}/metadata-file', {
        params,
        headers: { 'content-type': 'application/octet-stream' },
        body: file as unknown as string,
        bodySerializer: (body) => body,
      });
    },
    onSettled: () =>
      Promise.all(['video', 'telemetry'].map((key) => queries.invalidateQueries({ queryKey: [key, video.video_id] }))),
  });
  const summary = video.metadata.sidecar as Summary | undefined;
  const name = [summary?.name, summary?.filename].find((each) => typeof each === 'string');
  const fields = Array.isArray(summary?.fields) ? summary.fields.filter((each) => typeof each === 'string') : [];
  return (
    <div className="grid gap-2">
      {summary ? (
        <p className="break-all">
          {name ?? t`Data file`}
          {typeof summary.size_bytes === 'number' && (
            <span className="num text-ink-3"> · {formatBytes(summary.size_bytes)}</span>
          )}
          {fields.length > 0 && <span className="block text-ink-3 text-sm">{fields.join(', ')}</span>}
        </p>
      ) : (
        <p className="text-ink-3">
          <Trans>Telemetry that was recorded with the video: CSV, JSON, or the SRT file of a drone.</Trans>
        </p>
      )}
      {video.scope !== 'sample' && (
        <div>
          <FileButton busy={upload.isPending} onFile={(file) => upload.mutate(file)}>
            {summary ? t`Replace the file` : t`Add a file`}
          </FileButton>
        </div>
      )}
      {upload.error && <ErrorNotice error={upload.error} />}
    </div>
  );
}
