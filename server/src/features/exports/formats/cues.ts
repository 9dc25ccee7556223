import type { EventSource } from '../types.ts';
import { localTimes } from './local-times.ts';

/** Milliseconds of an interval. A cue of no length is shown by no player. */
const toMs = (startS: number, endS: number) => {
  const start = Math.round(startS * 1000);
  return { start, end: Math.max(Math.round(endS * 1000), start + 1) };
};

/** `hh:mm:ss.mmm`, with the decimal sign of the format. */
function timestamp(ms: number, decimal: '.' | ','): string {
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}${decimal}${String(ms % 1000).padStart(3, '0')}`;
}

/** A blank line would end the cue, and `-->` would start another one. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('-->', '→').trim();
const escapeMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Events of one video as cues of WebVTT. A comment before each states when it was recorded: players do not show it. */
export async function* writeVtt(events: EventSource): AsyncGenerator<string> {
  yield 'WEBVTT\n';
  for await (const { eventId, label, startS, endS, startAt, endAt } of events()) {
    const { start, end } = toMs(startS, endS);
    if (startAt !== null) yield `\nNOTE start_at=${startAt} end_at=${endAt}\n`;
    const range = `${timestamp(start, '.')} --> ${timestamp(end, '.')}`;
    yield `\n${eventId}\n${range}\n${escapeMarkup(oneLine(label))}\n`;
  }
}

/**
 * Events of one video as subtitles of SubRip, which has no comments: the time at which it was recorded is the second
 * line of a caption, as in the captions of drones.
 */
export async function* writeSrt(events: EventSource): AsyncGenerator<string> {
  let number = 0;
  for await (const event of events()) {
    const { start, end } = toMs(event.startS, event.endS);
    const recorded = localTimes(event);
    const lines = [oneLine(event.label), ...(recorded === null ? [] : [recorded])];
    yield `${++number}\n${timestamp(start, ',')} --> ${timestamp(end, ',')}\n${lines.join('\n')}\n\n`;
  }
}

/**
 * Events of one video as chapters of FFmpeg's metadata format, which it writes into MP4 and Matroska. Chapters do not
 * overlap: one ends where the next one starts, and events that start together are one chapter. Tags of a chapter state
 * when its start and its end were recorded.
 */
export async function* writeChapters(events: EventSource): AsyncGenerator<string> {
  yield ';FFMETADATA1\n';
  let open = null as Chapter | null;
  for await (const { label, startS, endS, startAt, endAt } of events()) {
    const { start, end } = toMs(startS, endS);
    if (open?.start === start) {
      if (end > open.end) Object.assign(open, { end, endAt });
      open.labels.push(oneLine(label));
      continue;
    }
    if (open) yield chapter(open.end > start ? { ...open, end: start, endAt: startAt } : open);
    open = { start, end, startAt, endAt, labels: [oneLine(label)] };
  }
  if (open) yield chapter(open);
}

type Chapter = { start: number; end: number; startAt: string | null; endAt: string | null; labels: string[] };

const chapter = ({ start, end, startAt, endAt, labels }: Chapter) =>
  `\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${labels.join(' / ').replace(/[=;#\\]/g, '\\$&')}\n${
    startAt === null ? '' : `start_at=${startAt}\nend_at=${endAt}\n`
  }`;
