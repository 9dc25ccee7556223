import type { EventSource } from '../types.ts';

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

/** Events of one video as cues of WebVTT. */
export async function* writeVtt(events: EventSource): AsyncGenerator<string> {
  yield 'WEBVTT\n';
  for await (const { eventId, label, startS, endS } of events()) {
    const { start, end } = toMs(startS, endS);
    const range = `${timestamp(start, '.')} --> ${timestamp(end, '.')}`;
    yield `\n${eventId}\n${range}\n${escapeMarkup(oneLine(label))}\n`;
  }
}

/** Events of one video as subtitles of SubRip. */
export async function* writeSrt(events: EventSource): AsyncGenerator<string> {
  let number = 0;
  for await (const { label, startS, endS } of events()) {
    const { start, end } = toMs(startS, endS);
    yield `${++number}\n${timestamp(start, ',')} --> ${timestamp(end, ',')}\n${oneLine(label)}\n\n`;
  }
}

/**
 * Events of one video as chapters of FFmpeg's metadata format, which it writes into MP4 and Matroska. Chapters do not
 * overlap: one ends where the next one starts, and events that start together are one chapter.
 */
export async function* writeChapters(events: EventSource): AsyncGenerator<string> {
  yield ';FFMETADATA1\n';
  let open = null as Chapter | null;
  for await (const { label, startS, endS } of events()) {
    const { start, end } = toMs(startS, endS);
    if (open?.start === start) {
      open.end = Math.max(open.end, end);
      open.labels.push(oneLine(label));
      continue;
    }
    if (open) yield chapter({ ...open, end: Math.min(open.end, start) });
    open = { start, end, labels: [oneLine(label)] };
  }
  if (open) yield chapter(open);
}

type Chapter = { start: number; end: number; labels: string[] };

const chapter = ({ start, end, labels }: Chapter) =>
  `\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${labels.join(' / ').replace(/[=;#\\]/g, '\\$&')}\n`;
