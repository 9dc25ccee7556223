import { Trans, useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronUp, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classes } from '#ui/classes.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { formatBytes, formatShare } from '#ui/format/format.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { ProgressBar } from '#ui/states.tsx';
import type { UploadItem } from './upload-types.ts';
import { useUploadItems, useUploads } from './use-uploads.ts';

const ROW_HEIGHT = 46;
const SHOWN_ROWS = 5;
/** Time that the list stays when all uploads have arrived. */
const STAYS_MS = 10_000;

/** Uploads of this tab, on every page. */
export function UploadTray() {
  const { t } = useLingui();
  const items = useUploadItems();
  const uploads = useUploads();
  const [open, setOpen] = useState(true);
  const scroller = useRef<HTMLUListElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  const [isWatched, setWatched] = useState(false);
  // Failures stay until the user has read them.
  const isAllDone = items.length > 0 && items.every(({ state, problem }) => state === 'done' && problem === null);
  useEffect(() => {
    if (!isAllDone || isWatched) return;
    const timer = window.setTimeout(() => uploads.clearEnded(), STAYS_MS);
    return () => window.clearTimeout(timer);
  }, [isAllDone, isWatched, uploads]);
  if (items.length === 0) return null;
  const ended = items.filter(({ state }) => state === 'done' || state === 'failed').length;
  const done = items.filter(({ state }) => state === 'done').length;
  const [total, sent] = items.reduce(
    ([size, bytes], item) => (item.state === 'failed' ? [size, bytes] : [size + item.size, bytes + item.sent]),
    [0, 0],
  );
  return (
    <section
      aria-label={t`Uploads`}
      onPointerEnter={() => setWatched(true)}
      onPointerLeave={() => setWatched(false)}
      className="fixed right-4 bottom-4 z-30 w-[min(340px,calc(100vw-32px))] rounded-lg bg-panel shadow-float"
    >
      <div className="flex items-center gap-1 py-1.5 pr-1.5 pl-3">
        <h2 className="num flex-1" aria-live="polite">
          {ended < items.length ? (
            <Trans>
              Uploading {ended + 1} of {items.length}
            </Trans>
          ) : (
            <Trans>
              {done} of {items.length} uploaded
            </Trans>
          )}
        </h2>
        {ended > 0 && (
          <Button look="ghost" onClick={() => uploads.clearEnded()}>
            <Trans>Clear</Trans>
          </Button>
        )}
        <IconButton
          icon={open ? ChevronDown : ChevronUp}
          label={open ? t`Hide the list of uploads` : t`Show the list of uploads`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </div>
      {!open && ended < items.length && (
        <ProgressBar value={total > 0 ? sent / total : null} label={t`All uploads`} className="mx-3 mb-3" />
      )}
      {open && (
        <ul
          ref={scroller}
          tabIndex={items.length > SHOWN_ROWS ? 0 : undefined}
          aria-label={t`Uploads`}
          className="overflow-y-auto border-t"
          style={{ maxHeight: ROW_HEIGHT * SHOWN_ROWS + ROW_HEIGHT / 2 }}
        >
          <li aria-hidden style={{ height: virtualizer.getVirtualItems()[0]?.start ?? 0 }} />
          {virtualizer.getVirtualItems().map(({ index }) => {
            const item = items[index];
            return item && <UploadRow key={item.id} item={item} index={index} measure={virtualizer.measureElement} />;
          })}
          <li
            aria-hidden
            style={{ height: virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0) }}
          />
        </ul>
      )}
    </section>
  );
}

function UploadRow({
  item,
  index,
  measure,
}: {
  item: UploadItem;
  index: number;
  measure: (row: HTMLElement | null) => void;
}) {
  const { t } = useLingui();
  const uploads = useUploads();
  const { showError } = useToasts();
  const { id, name, state, sent, size, problem } = item;
  const runs = state === 'uploading' || state === 'finishing';
  return (
    <li ref={measure} data-index={index} className="px-3 pt-1.5 pb-2.5">
      <div className="flex h-7 items-center gap-1.5">
        <span className="min-w-0 flex-1 truncate text-sm" title={name} dir="auto">
          {name}
        </span>
        <UploadNote item={item} />
        {state === 'missing' && <ProvideFile item={item} />}
        {(state === 'uploading' || state === 'waiting') && (
          <IconButton
            icon={Pause}
            label={t`Pause ${name}`}
            onClick={() => void uploads.pause(id).catch(showError)}
            className="size-6"
          />
        )}
        {state === 'paused' && (
          <IconButton icon={Play} label={t`Resume ${name}`} onClick={() => uploads.resume(id)} className="size-6" />
        )}
        {state === 'failed' && item.canRetry && (
          <IconButton icon={RotateCcw} label={t`Retry ${name}`} onClick={() => uploads.resume(id)} className="size-6" />
        )}
        <IconButton
          icon={X}
          label={state === 'done' || state === 'failed' ? t`Remove ${name} from the list` : t`Cancel ${name}`}
          onClick={() => void uploads.remove(id)}
          className="size-6"
        />
      </div>
      {state !== 'done' && state !== 'failed' && (
        <ProgressBar
          value={size > 0 ? sent / size : 0}
          label={name}
          className={classes('h-[3px]', !runs && 'opacity-60')}
        />
      )}
      {problem && (
        <p className={classes('break-words text-sm', state === 'failed' ? 'text-bad' : 'text-warn')}>{problem}</p>
      )}
    </li>
  );
}

function UploadNote({ item }: { item: UploadItem }) {
  const { state, sent, size, rate, stalled } = item;
  const share = formatShare(size > 0 ? sent / size : 0);
  return (
    <span className="num shrink-0 text-ink-2 text-sm">
      {state === 'waiting' && <Trans>Waiting</Trans>}
      {state === 'paused' && <Trans>Paused · {share}</Trans>}
      {state === 'finishing' && <Trans>Checking</Trans>}
      {state === 'done' && <Trans>Uploaded</Trans>}
      {state === 'uploading' &&
        (stalled ? <Trans>Waiting for the service</Trans> : `${share}${rate ? ` · ${formatBytes(rate)}/s` : ''}`)}
    </span>
  );
}

/** Continues an upload that a reload has interrupted: with the stored handle, or with the file chosen again. */
function ProvideFile({ item }: { item: UploadItem }) {
  const { t } = useLingui();
  const uploads = useUploads();
  const { show, showError } = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const provide = (file: File) => {
    if (!uploads.provideFile(item.id, file)) show(t`This is another file. Choose ${item.name} again.`);
  };
  async function read() {
    const handle = item.handle as (FileSystemFileHandle & { requestPermission?: () => Promise<string> }) | null;
    if (!handle || (await handle.requestPermission?.()) !== 'granted') return input.current!.click();
    provide(await handle.getFile());
  }
  return (
    <>
      <Button className="h-6" onClick={() => void read().catch(showError)}>
        {item.handle ? <Trans>Resume</Trans> : <Trans>Choose file</Trans>}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`Choose ${item.name} again`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) provide(file);
        }}
      />
    </>
  );
}
