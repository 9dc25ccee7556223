import { SightlineError } from '@sightline/sdk';
import { api, sightline } from '#api/client.ts';
import { sortFiles } from './chosen-files.ts';
import { forgetUpload, storedUploads, storeUpload } from './stored-uploads.ts';
import { endTusUpload, type RunningUpload, startTusUpload } from './tus-upload.ts';
import { newKey } from './upload-keys.ts';
import { createRate } from './upload-rate.ts';
import type { ChosenFile, UploadItem, UploadTarget } from './upload-types.ts';

/** Uploads at a time; the others wait for their turn. */
const PARALLEL_UPLOADS = 2;
const REPORT_MS = 100;

/** Messages for files that are refused here. */
export type RefusalTexts = { notVideo: string; lonelySidecar: string };

/**
 * The uploads of this tab. They continue while the user visits other pages. `onUploaded` is called when a video has
 * arrived.
 */
export function createUploads(onUploaded: () => void) {
  let items: readonly UploadItem[] = [];
  const running = new Map<string, RunningUpload | null>();
  const listeners = new Set<() => void>();
  let report: ReturnType<typeof setTimeout> | null = null;

  function publish(): void {
    if (report) clearTimeout(report);
    report = null;
    for (const listener of listeners) listener();
  }
  const find = (id: string) => items.find((item) => item.id === id);
  function patch(id: string, change: Partial<UploadItem>, late = false): void {
    items = items.map((item) => (item.id === id ? { ...item, ...change } : item));
    if (!late) publish();
    else report ??= setTimeout(publish, REPORT_MS);
  }
  function add(added: UploadItem[]): void {
    items = [...items, ...added];
    publish();
    startNext();
  }

  function startNext(): void {
    for (const item of items) {
      if (running.size >= PARALLEL_UPLOADS) return;
      if (item.state === 'waiting') void start(item);
    }
  }

  async function start(item: UploadItem): Promise<void> {
    const { id } = item;
    running.set(id, null);
    patch(id, { state: 'uploading', problem: null });
    const rate = createRate();
    const isCurrent = () => running.has(id) && find(id)?.state !== 'paused';
    const upload = await startTusUpload(item, item.file!, {
      onStarted(url) {
        patch(id, { url });
        void storeUpload(find(id) ?? item);
      },
      onProgress(sent) {
        if (!isCurrent()) return;
        const state = sent === item.size ? 'finishing' : 'uploading';
        patch(id, { sent, rate: rate.add(sent), state }, find(id)?.state === state);
      },
      onStalled(waiting) {
        if (isCurrent() && find(id)?.stalled !== waiting) patch(id, { stalled: waiting, rate: null });
      },
      onDone: (url) => void finish(id, url),
      onFailed(error) {
        running.delete(id);
        // The service removes refused uploads; the next attempt resumes others.
        const refused = error.status >= 400 && error.status < 500 && error.status !== 401;
        patch(id, {
          state: 'failed',
          problem: error.message,
          canRetry: true,
          rate: null,
          ...(refused ? { url: null, sent: 0, creationKey: newKey() } : {}),
        });
        // A reload would offer to resume what the service has refused.
        if (refused) void forgetUpload(id);
        startNext();
      },
    }).catch((error: Error) => {
      // The code of the uploads itself could not be loaded.
      patch(id, { state: 'failed', problem: error.message, canRetry: true });
      return null;
    });
    if (!upload) running.delete(id);
    else if (running.has(id)) running.set(id, upload);
    else await upload.pause();
  }

  async function finish(id: string, url: string): Promise<void> {
    const item = find(id);
    let problem: string | null = null;
    if (item?.sidecar) problem = await putSidecar(url.split('/').at(-1)!, item.sidecar);
    running.delete(id);
    patch(id, { state: 'done', sent: item?.size ?? 0, rate: null, problem });
    await forgetUpload(id);
    release(id);
    onUploaded();
    startNext();
  }

  async function pause(id: string): Promise<void> {
    const upload = running.get(id);
    running.delete(id);
    patch(id, { state: 'paused', rate: null, stalled: false });
    await upload?.pause();
    startNext();
  }

  const held = new Map<string, () => void>();
  /** While a tab has an upload, other tabs do not offer to resume it. False: another tab has it. */
  const hold = (id: string): Promise<boolean> =>
    new Promise((resolve) => {
      if (!navigator.locks) return resolve(true);
      void navigator.locks.request(`sightline-upload-${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock && new Promise<void>((end) => held.set(id, end));
      });
    });
  function release(id: string): void {
    held.get(id)?.();
    held.delete(id);
  }

  async function remove(id: string): Promise<void> {
    const item = find(id);
    const upload = running.get(id);
    running.delete(id);
    items = items.filter((each) => each.id !== id);
    publish();
    await upload?.pause();
    await forgetUpload(id);
    release(id);
    if (item?.url && item.state !== 'done') await endTusUpload(item.url).catch(() => {});
    startNext();
  }

  return {
    current: () => items,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Queues files. Those that are no videos are listed with the reason. */
    addFiles(files: readonly ChosenFile[], target: UploadTarget, texts: RefusalTexts): void {
      const { videos, lonely, others } = sortFiles(files);
      const added = videos.map((chosen) => newItem(chosen, target, { sidecar: chosen.sidecar }));
      for (const item of added) void hold(item.id).then(() => storeUpload(find(item.id) ?? item));
      const refuse = (chosen: ChosenFile, problem: string) =>
        newItem(chosen, target, { state: 'failed', problem, canRetry: false });
      add([
        ...added,
        ...others.map((chosen) => refuse(chosen, texts.notVideo)),
        ...lonely.map((chosen) => refuse(chosen, texts.lonelySidecar)),
      ]);
    },

    pause,
    /** Continues a paused upload, or tries a failed one again. */
    resume(id: string): void {
      patch(id, { state: 'waiting', problem: null });
      startNext();
    },
    remove,
    /** Removes the lines of uploads that have ended. */
    clearEnded(): void {
      const ended = items.filter(({ state, canRetry }) => state === 'done' || (state === 'failed' && !canRetry));
      items = items.filter((item) => !ended.includes(item));
      publish();
    },

    /** Shows uploads that a reload has interrupted. */
    async restore(): Promise<void> {
      for (const stored of await storedUploads()) {
        if (find(stored.id) || !(await hold(stored.id))) continue;
        add([{ ...newItem(null, {}, { state: 'missing' }), ...stored }]);
      }
    },
    /** Gives an interrupted upload its file back. Returns false if it is another file. */
    provideFile(id: string, file: File): boolean {
      const item = find(id);
      if (!item || file.size !== item.size || file.lastModified !== item.lastModified) return false;
      patch(id, { file, state: 'waiting', problem: null });
      startNext();
      return true;
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;

function newItem(chosen: ChosenFile | null, target: UploadTarget, more: Partial<UploadItem>): UploadItem {
  return {
    ...target,
    id: newKey(),
    creationKey: newKey(),
    name: chosen?.path ?? '',
    size: chosen?.file.size ?? 0,
    lastModified: chosen?.file.lastModified ?? 0,
    state: 'waiting',
    sent: 0,
    rate: null,
    stalled: false,
    problem: null,
    canRetry: true,
    url: null,
    file: chosen?.file ?? null,
    handle: chosen?.handle ?? null,
    sidecar: null,
    ...more,
  };
}

/** Returns why the sidecar was refused; null if it is stored. The video stays in either case. */
async function putSidecar(videoId: string, sidecar: File): Promise<string | null> {
  try {
    // SRT files of drones are telemetry, others are subtitles.
    const isTelemetry = !/\.vtt$/i.test(sidecar.name) && (await putMetadataFile(videoId, sidecar));
    if (!isTelemetry) await sightline.putSubtitles(videoId, sidecar, { filename: sidecar.name });
    return null;
  } catch (error) {
    return error instanceof SightlineError ? error.message : String(error);
  }
}

/** Returns false if an SRT file has no telemetry. Throws the other failures. */
async function putMetadataFile(videoId: string, file: File): Promise<boolean> {
  const params = { path: { video_id: videoId }, query: { filename: file.name } };
  const headers = { 'content-type': 'application/octet-stream' };
  const body = (await file.arrayBuffer()) as unknown as string;
  try {
    await api.PUT('/api/video/{video_id}/metadata-file', { params, headers, body, bodySerializer: (raw) => raw });
    return true;
  } catch (error) {
    if (/\.srt$/i.test(file.name) && error instanceof SightlineError && error.code === 'sidecar_invalid') return false;
    throw error;
  }
}
