import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ExportRequest } from '@sightline/sdk';

export type ExportFormat = ExportRequest['format'];

/** Which events are exported. */
export type ExportFilter = Omit<ExportRequest, 'format'>;

type Description = {
  name: string;
  text: MessageDescriptor;
  /** Its times are those of one video. */
  perVideo?: true;
};

/** The formats in the order of the dialog. */
export const FORMATS: Record<ExportFormat, Description> = {
  csv: { name: 'CSV', text: msg`For spreadsheets` },
  json: { name: 'JSON', text: msg`For programs, with evidence` },
  jsonl: { name: 'JSON Lines', text: msg`One event per line` },
  parquet: { name: 'Parquet', text: msg`For data frames and warehouses` },
  otio: { name: 'OpenTimelineIO', text: msg`A cut of all events` },
  fcpxml: { name: 'FCPXML', text: msg`A cut for Final Cut Pro and DaVinci Resolve` },
  edl: { name: 'EDL', text: msg`A cut for any editor (CMX 3600)` },
  coco: { name: 'COCO', text: msg`Boxes of evidence frames` },
  cvat: { name: 'CVAT', text: msg`Boxes of evidence frames` },
  label_studio: { name: 'Label Studio', text: msg`Tasks with predictions and verdicts` },
  fiftyone: { name: 'FiftyOne', text: msg`Events and boxes as labels of videos` },
  geojson: { name: 'GeoJSON', text: msg`Where events happened, if recorded` },
  html: { name: 'HTML', text: msg`A report that opens offline` },
  zip: { name: 'ZIP', text: msg`Clips and evidence images of each event` },
  lerobot: { name: 'LeRobot', text: msg`An episode for each event, for training` },
  recap: { name: 'MP4', text: msg`All events as one MP4 with captions` },
  vtt: { name: 'WebVTT', text: msg`Captions for players`, perVideo: true },
  srt: { name: 'SubRip', text: msg`Subtitles for players`, perVideo: true },
  chapters: { name: 'FFmpeg', text: msg`Chapters of a video file`, perVideo: true },
  mcap: { name: 'MCAP', text: msg`Events and boxes for Foxglove`, perVideo: true },
};
