import type { FormatWriter } from '../types.ts';
import { perIncident } from './incidents.ts';

type Format = {
  write: FormatWriter;
  extension: string;
  contentType: string;
  /** The times of its file are those of one video. */
  isPerVideo?: true;
  /** Largest number of events, if each costs images or clips. */
  maxEvents?: number;
};

/** A writer that is loaded with its libraries when a file is first written. */
const onUse = (load: () => Promise<FormatWriter>): FormatWriter =>
  async function* write(...args) {
    yield* (await load())(...args);
  };

/** All formats by the name that requests state. */
export const FORMATS = {
  csv: {
    write: onUse(async () => (await import('./table.ts')).writeCsv),
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
  },
  json: {
    write: onUse(async () => (await import('./table.ts')).writeJson),
    extension: 'json',
    contentType: 'application/json',
  },
  jsonl: {
    write: onUse(async () => (await import('./table.ts')).writeJsonLines),
    extension: 'jsonl',
    contentType: 'application/x-ndjson',
  },
  parquet: {
    write: onUse(async () => (await import('./parquet/parquet.ts')).writeParquet),
    extension: 'parquet',
    contentType: 'application/vnd.apache.parquet',
  },
  vtt: {
    write: perIncident(onUse(async () => (await import('./cues.ts')).writeVtt)),
    extension: 'vtt',
    contentType: 'text/vtt; charset=utf-8',
    isPerVideo: true,
  },
  srt: {
    write: perIncident(onUse(async () => (await import('./cues.ts')).writeSrt)),
    extension: 'srt',
    contentType: 'application/x-subrip',
    isPerVideo: true,
  },
  chapters: {
    write: perIncident(onUse(async () => (await import('./cues.ts')).writeChapters)),
    extension: 'ffmeta',
    contentType: 'text/plain; charset=utf-8',
    isPerVideo: true,
  },
  otio: {
    write: onUse(async () => (await import('./cuts/otio.ts')).writeOtio),
    extension: 'otio',
    contentType: 'application/json',
  },
  edl: {
    write: onUse(async () => (await import('./cuts/edl.ts')).writeEdl),
    extension: 'edl',
    contentType: 'text/plain; charset=utf-8',
  },
  fcpxml: {
    write: onUse(async () => (await import('./cuts/fcpxml.ts')).writeFcpxml),
    extension: 'fcpxml',
    contentType: 'application/xml',
  },
  coco: {
    write: onUse(async () => (await import('./boxes/coco.ts')).writeCoco),
    extension: 'json',
    contentType: 'application/json',
  },
  cvat: {
    write: onUse(async () => (await import('./boxes/cvat.ts')).writeCvat),
    extension: 'xml',
    contentType: 'application/xml',
  },
  label_studio: {
    write: onUse(async () => (await import('./label-studio.ts')).writeLabelStudio),
    extension: 'json',
    contentType: 'application/json',
  },
  fiftyone: {
    write: onUse(async () => (await import('./fiftyone.ts')).writeFiftyOne),
    extension: 'zip',
    contentType: 'application/zip',
  },
  geojson: {
    write: onUse(async () => (await import('./geojson.ts')).writeGeoJson),
    extension: 'geojson',
    contentType: 'application/geo+json',
  },
  html: {
    write: onUse(async () => (await import('./reports/html.ts')).writeHtml),
    extension: 'html',
    contentType: 'text/html; charset=utf-8',
    maxEvents: 1_000,
  },
  zip: {
    write: onUse(async () => (await import('./reports/zip.ts')).writeZip),
    extension: 'zip',
    contentType: 'application/zip',
    maxEvents: 1_000,
  },
  lerobot: {
    write: onUse(async () => (await import('./lerobot/lerobot.ts')).writeLeRobot),
    extension: 'zip',
    contentType: 'application/zip',
    maxEvents: 1_000,
  },
  recap: {
    write: perIncident(onUse(async () => (await import('./reports/recap.ts')).writeRecap)),
    extension: 'mp4',
    contentType: 'video/mp4',
    maxEvents: 200,
  },
  mcap: {
    write: onUse(async () => (await import('./mcap.ts')).writeMcap),
    extension: 'mcap',
    contentType: 'application/octet-stream',
    isPerVideo: true,
  },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof FORMATS;

/** A format by its name. */
export const formatOf = (name: ExportFormat): Format => FORMATS[name];
