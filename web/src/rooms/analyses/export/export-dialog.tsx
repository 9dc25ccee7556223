import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { eventFile, FORMATS, type Format } from './event-files.ts';
import { type EventFilter, fetchEvents } from './exported-events.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  filters: readonly EventFilter[];
  /** Name of the file, without its extension. */
  name: string;
};

/** Downloads events as a file, which the browser makes of what the API lists. */
export function ExportDialog({ open, onClose, title, ...props }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {open && <Export {...props} onDone={onClose} />}
    </Dialog>
  );
}

function Export({ filters, name, onDone }: Pick<Props, 'filters' | 'name'> & { onDone: () => void }) {
  const { t } = useLingui();
  const { show } = useToasts();
  const [format, setFormat] = useState<Format>('csv');
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const descriptions: Record<Format, string> = { csv: t`For spreadsheets`, json: t`For programs` };

  async function run() {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setError(null);
    setCount(0);
    try {
      const events = await fetchEvents(filters, { signal, onCount: setCount });
      if (signal.aborted) return;
      if (events.length === 0) return show(t`There are no events to export`);
      download(eventFile(events, format), `${name}.${format}`);
      onDone();
    } catch (problem) {
      if (!signal.aborted) setError(problem);
    } finally {
      setCount(null);
    }
  }

  return (
    <div className="grid gap-3.5">
      <p className="text-ink-2">
        <Trans>
          The file has each event of completed questions: its video, times, label, severity, confidence, question and a
          link to it.
        </Trans>
      </p>
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="sr-only">{t`Format`}</legend>
        {FORMATS.map((each) => (
          <label
            key={each}
            className="relative flex cursor-pointer items-center gap-2.5 rounded-md border px-3 py-2 hover:border-strong-line has-checked:border-accent has-checked:bg-accent/10"
          >
            <input
              type="radio"
              name="format"
              value={each}
              checked={format === each}
              disabled={count !== null}
              onChange={() => setFormat(each)}
              className="accent-accent"
            />
            <span>
              <span className="block font-medium uppercase">{each}</span>
              <span className="block text-ink-2 text-sm">{descriptions[each]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {error !== null && <ErrorNotice error={error} />}
      <div className="flex items-center justify-end gap-2">
        <span className="num mr-auto text-ink-2 text-sm" aria-live="polite">
          {count !== null && <Plural value={count} one="# event" other="# events" />}
        </span>
        <Button onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
        <Button look="primary" icon={Download} busy={count !== null} onClick={() => void run()}>
          <Trans>Download</Trans>
        </Button>
      </div>
    </div>
  );
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
