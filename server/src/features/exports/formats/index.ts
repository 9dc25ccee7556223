import type { FormatWriter } from '../types.ts';
import { writeCoco } from './boxes/coco.ts';
import { writeCvat } from './boxes/cvat.ts';
import { writeChapters, writeSrt, writeVtt } from './cues.ts';
import { writeEdl } from './cuts/edl.ts';
import { writeFcpxml } from './cuts/fcpxml.ts';
import { writeOtio } from './cuts/otio.ts';
import { writeFiftyOne } from './fiftyone.ts';
import { writeGeoJson } from './geojson.ts';
import { writeLabelStudio } from './label-studio.ts';
import { writeLeRobot } from './lerobot/lerobot.ts';
import { writeMcap } from './mcap.ts';
import { writeParquet } from './parquet/parquet.ts';
import { writeHtml } from './reports/html.ts';
import { writeRecap } from './reports/recap.ts';
import { writeZip } from './reports/zip.ts';
import { writeCsv, writeJson, writeJsonLines } from './table.ts';

type Format = {
  write: FormatWriter;
  extension: string;
  contentType: string;
  /** The times of its file are those of one video. */
  isPerVideo?: true;
  /** Largest number of events, if each costs images or clips. */
  maxEvents?: number;
};

/** All formats by the name that requests state. */
export const FORMATS = {
  csv: { write: writeCsv, extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  json: { write: writeJson, extension: 'json', contentType: 'application/json' },
  jsonl: { write: writeJsonLines, extension: 'jsonl', contentType: 'application/x-ndjson' },
  parquet: { write: writeParquet, extension: 'parquet', contentType: 'application/vnd.apache.parquet' },
  vtt: { write: writeVtt, extension: 'vtt', contentType: 'text/vtt; charset=utf-8', isPerVideo: true },
  srt: { write: writeSrt, extension: 'srt', contentType: 'application/x-subrip', isPerVideo: true },
  chapters: { write: writeChapters, extension: 'ffmeta', contentType: 'text/plain; charset=utf-8', isPerVideo: true },
  otio: { write: writeOtio, extension: 'otio', contentType: 'application/json' },
  edl: { write: writeEdl, extension: 'edl', contentType: 'text/plain; charset=utf-8' },
  fcpxml: { write: writeFcpxml, extension: 'fcpxml', contentType: 'application/xml' },
  coco: { write: writeCoco, extension: 'json', contentType: 'application/json' },
  cvat: { write: writeCvat, extension: 'xml', contentType: 'application/xml' },
  label_studio: { write: writeLabelStudio, extension: 'json', contentType: 'application/json' },
  fiftyone: { write: writeFiftyOne, extension: 'zip', contentType: 'application/zip' },
  geojson: { write: writeGeoJson, extension: 'geojson', contentType: 'application/geo+json' },
  html: { write: writeHtml, extension: 'html', contentType: 'text/html; charset=utf-8', maxEvents: 1_000 },
  zip: { write: writeZip, extension: 'zip', contentType: 'application/zip', maxEvents: 1_000 },
  lerobot: { write: writeLeRobot, extension: 'zip', contentType: 'application/zip', maxEvents: 1_000 },
  recap: { write: writeRecap, extension: 'mp4', contentType: 'video/mp4', maxEvents: 200 },
  mcap: { write: writeMcap, extension: 'mcap', contentType: 'application/octet-stream', isPerVideo: true },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof FORMATS;

/** A format by its name. */
export const formatOf = (name: ExportFormat): Format => FORMATS[name];
