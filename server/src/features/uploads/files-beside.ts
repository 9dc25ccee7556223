import { isTelemetryFile, parseSidecar, readRecorded, type Sidecar, type SidecarStore } from './sidecar/index.ts';
import { type ParsedSubtitles, parseSubtitles, type SubtitleStore } from './subtitles/index.ts';
import { videoNameFromPath } from './video-names.ts';

/** Files that arrive with a video: in one form, or beside it in a bucket. */
export type FilesBeside = {
  sidecar: Sidecar | null;
  subtitles: ParsedSubtitles | null;
  /** When the video was recorded, by a file that is not stored. */
  recorded?: (NonNullable<Awaited<ReturnType<typeof readRecorded>>> & { filename: string }) | null;
};

/** Ends of the names of files that state when a video was recorded: GPS tracks, metadata and preview images. */
const RECORDED_BESIDE = ['.gpx', '.nmea', '.xml', 'M01.XML', '.thm'];

/** Stores the files that arrive with a video. */
export function createFilesBeside(stores: { sidecars: SidecarStore; subtitles: SubtitleStore }) {
  return {
    async write(videoId: string, { sidecar, subtitles }: FilesBeside, signal?: AbortSignal): Promise<void> {
      if (sidecar) await stores.sidecars.write(videoId, sidecar, signal);
      if (subtitles) await stores.subtitles.write(videoId, subtitles, signal);
    },
  };
}

export type FilesBesideStore = ReturnType<typeof createFilesBeside>;

/**
 * Reads the files beside a video, which have its name and another extension. Subtitles with measurements are telemetry,
 * others are what is spoken. `read` returns null for a file that does not exist. Throws `sidecar_invalid` or
 * `subtitles_invalid` (400).
 */
export async function readFilesBeside(
  path: string,
  read: (path: string) => Promise<Buffer | null>,
): Promise<FilesBeside> {
  const base = path.replace(/\.[^./]+$/, '');
  const openPath = async (beside: string) => {
    const bytes = await read(beside);
    return bytes && { filename: videoNameFromPath(beside), bytes };
  };
  // Cameras write the extensions of all of their files in capitals, or none.
  const isUpper = /\.[A-Z0-9]*[A-Z][A-Z0-9]*$/.test(path);
  const open = (extension: string) => openPath(base + (isUpper ? extension.toUpperCase() : extension));
  const beside: FilesBeside = { sidecar: null, subtitles: null };
  const data = (await open('.json')) ?? (await open('.csv'));
  if (data) beside.sidecar = await parseSidecar(data.filename, data.bytes);
  const srt = await open('.srt');
  const isTelemetry = srt !== null && (await isTelemetryFile(srt.bytes));
  if (isTelemetry) beside.sidecar ??= await parseSidecar(srt.filename, srt.bytes);
  const spoken = (isTelemetry ? null : srt) ?? (await open('.vtt'));
  if (spoken) beside.subtitles = await parseSubtitles({ ...spoken, language: null });
  if (beside.sidecar?.summary.recorded === undefined)
    for (const find of [...RECORDED_BESIDE.map((end) => () => open(end)), () => openPath(`${path}.json`)]) {
      const file = await find();
      const recorded = file && (await readRecorded(file.bytes));
      if (!recorded) continue;
      beside.recorded = { ...recorded, filename: file.filename };
      break;
    }
  return beside;
}

/** Summaries of the files, for the metadata of the video. */
export const summariesOf = ({ sidecar, subtitles, recorded }: FilesBeside): Record<string, unknown> => ({
  ...(sidecar ? { sidecar: sidecar.summary } : {}),
  ...(subtitles ? { subtitles: subtitles.summary } : {}),
  ...(recorded ? { recorded_start: recorded } : {}),
});
