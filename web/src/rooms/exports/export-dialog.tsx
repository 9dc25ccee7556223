import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { sightline } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice, ProgressBar } from '#ui/states.tsx';
import { type ExportFilter, type ExportFormat, FORMATS } from './formats.ts';
import { download, exportsQuery } from './queries.ts';

type Props = { onClose: () => void; title: ReactNode; filter: ExportFilter };

/** Writes the events that match a filter into a file, and downloads it. Closed early, the export continues. */
export function ExportDialog({ onClose, title, filter }: Props) {
  const { t } = useLingui();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const isOneVideo = filter.video_ids?.length === 1;
  const formats = Object.entries(FORMATS).filter(([, { perVideo }]) => isOneVideo || !perVideo);

  async function run() {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setError(null);
    setBusy(true);
    try {
      const done = await sightline.exportEvents({ ...filter, format }, { signal });
      if (done.event_count === 0) show(t`There are no events to export`);
      else download(done.download_url!);
      onClose();
    } catch (problem) {
      if (!signal.aborted) setError(problem);
    } finally {
      setBusy(false);
      void queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey });
    }
  }

  return (
    <Dialog open onClose={onClose} title={title} wide>
      <div className="grid gap-3.5">
        <p className="text-ink-2">
          <Trans>
            All events that match are written into one file. You can close this: the file stays for a week in{' '}
            <Link to="/exports" className="text-accent-text underline">
              your exports
            </Link>
            .
          </Trans>
        </p>
        <fieldset className="grid grid-cols-[repeat(auto-fill,minmax(210px,1fr))] gap-2">
          <legend className="sr-only">{t`Format`}</legend>
          {formats.map(([each, { name, text }]) => (
            <label
              key={each}
              className="relative flex cursor-pointer items-center gap-2.5 rounded-md border px-3 py-1.5 hover:border-strong-line has-checked:border-accent has-checked:bg-accent/10"
            >
              <input
                type="radio"
                name="format"
                value={each}
                checked={format === each}
                disabled={busy}
                onChange={() => setFormat(each as ExportFormat)}
                className="accent-accent"
              />
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-ink-2 text-sm">{t(text)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {busy && <ProgressBar value={null} label={t`Writing the file`} />}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex items-center justify-end gap-2">
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button look="primary" icon={Download} busy={busy} onClick={() => void run()}>
            <Trans>Download</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
