import type { ChosenFile } from './upload-types.ts';

/** Telemetry and subtitles that belong to the video of the same name. */
const SIDECAR = /\.(csv|json|srt|vtt|gpx)$/i;
/** Files that systems put into folders. */
const CLUTTER = /(^|\/)(\.[^/]+|Thumbs\.db|desktop\.ini)$/i;
const NOT_VIDEO = /^(image(?!\/gif$)|text|font|model)\/|^application\/(pdf|msword|zip|vnd\.(openxmlformats|ms-|oasis))/;

export type SortedFiles = {
  videos: (ChosenFile & { sidecar: File | null })[];
  /** Sidecars without a video of the same name among the chosen files. */
  lonely: ChosenFile[];
  /** Files that cannot be videos, by their type. */
  others: ChosenFile[];
};

const stem = (path: string) => path.replace(/\.[^./]+$/, '').toLowerCase();
/** Subtitles may name their language: `talk.en.srt`. */
const sidecarStem = (path: string) => stem(path.replace(/\.[a-z]{2,3}(?:-[a-z]{2})?(\.(?:srt|vtt))$/i, '$1'));

/** Pairs videos with their sidecars and sets aside what cannot be a video. */
export function sortFiles(files: readonly ChosenFile[]): SortedFiles {
  const wanted = files.filter(({ path }) => !CLUTTER.test(path));
  const sidecars = new Map<string, ChosenFile>();
  for (const chosen of wanted) if (SIDECAR.test(chosen.path)) sidecars.set(sidecarStem(chosen.path), chosen);
  const others = wanted.filter(({ path, file }) => !SIDECAR.test(path) && NOT_VIDEO.test(file.type));
  const videos = wanted
    .filter((chosen) => !SIDECAR.test(chosen.path) && !others.includes(chosen))
    .map((chosen) => {
      const sidecar = sidecars.get(stem(chosen.path))?.file ?? null;
      sidecars.delete(stem(chosen.path));
      return { ...chosen, sidecar };
    });
  return { videos, lonely: [...sidecars.values()], others };
}

/** Files of an input, with the path inside the chosen folder. */
export const filesOfInput = (list: Iterable<File>): ChosenFile[] =>
  [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

type HandleItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

/** Files and folders that were dropped, folders with all that they contain. */
export async function filesOfDrop(transfer: DataTransfer): Promise<ChosenFile[]> {
  // The browser empties the list as soon as this function waits.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file') as HandleItem[];
  const dropped = items.map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
    handle: item.getAsFileSystemHandle?.().catch(() => null),
  }));
  const chosen: ChosenFile[] = [];
  for (const { entry, file, handle } of dropped) {
    if (entry?.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, chosen);
    else if (file) {
      const own = await handle;
      chosen.push({ file, path: file.name, ...(own?.kind === 'file' ? { handle: own as FileSystemFileHandle } : {}) });
    }
  }
  return chosen;
}

async function addFolder(folder: FileSystemDirectoryEntry, chosen: ChosenFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A reader returns a part of the entries, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, chosen);
      else {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        chosen.push({ file, path: entry.fullPath.replace(/^\//, '') });
      }
    }
  }
}

type FilePicker = (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;

/** Lets the user choose files that the browser can read again after a reload; null where it has no such picker. */
export async function pickFiles(): Promise<ChosenFile[] | null> {
  const { showOpenFilePicker } = window as { showOpenFilePicker?: FilePicker };
  if (!showOpenFilePicker) return null;
  try {
    const handles = await showOpenFilePicker({ multiple: true });
    return await Promise.all(
      handles.map(async (handle) => ({ file: await handle.getFile(), path: handle.name, handle })),
    );
  } catch {
    // The user has closed the picker.
    return [];
  }
}
