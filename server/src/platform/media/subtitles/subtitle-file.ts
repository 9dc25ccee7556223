import { toLanguage } from './language.ts';
import { type Caption, MAX_CAPTIONS, toPlainText } from './plain-text.ts';
import type { Subtitles } from './subtitle-track.ts';

type SubtitleFile = Subtitles & { format: 'srt' | 'vtt' };

const CLOCK = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const TIMING = new RegExp(`^\\s*${CLOCK}\\s*-->\\s*${CLOCK}(?:\\s|$)`);
const HEADER = /^WEBVTT(?:\s|$)/;
const LANGUAGE = /^Language:\s*(\S+)/i;

/**
 * Reads a subtitle file: SubRip (SRT) or WebVTT, UTF-8 or UTF-16 with a byte order mark. Captions are plain text in
 * order of their start; blocks without a time (notes, styles) are skipped. Returns a reason if it is no such file.
 */
export function readSubtitleFile(bytes: Uint8Array): SubtitleFile | { unusable: string } {
  const text = decodeText(bytes);
  if (text === null) return { unusable: 'it is not UTF-8 text' };
  const lines = text.split(/\r\n|[\r\n]/);
  const isWebVtt = HEADER.test(lines[0] ?? '');
  const captions = readCaptions(lines, isWebVtt ? 'webvtt' : 'subrip');
  if (captions.length > MAX_CAPTIONS)
    return { unusable: `it has more than ${MAX_CAPTIONS.toLocaleString('en')} captions` };
  if (captions.length === 0) return { unusable: 'it has no caption with a start, an end and a text' };
  const header = isWebVtt ? lines.slice(1, Math.max(1, lines.indexOf(''))) : [];
  const language = toLanguage(header.map((line) => LANGUAGE.exec(line)?.[1]).find(Boolean));
  return { format: isWebVtt ? 'vtt' : 'srt', language, captions: captions.sort((a, b) => a.startS - b.startS) };
}

/** `readSubtitleFile` for `runTask`. */
export const READ_SUBTITLES = {
  module: new URL('./subtitle-file.ts', import.meta.url),
  name: 'readSubtitleFile',
  run: readSubtitleFile,
} as const;

function decodeText(bytes: Uint8Array): string | null {
  const mark = (bytes[0]! << 8) | bytes[1]!;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Stops one after the limit. */
function readCaptions(lines: readonly string[], codec: 'subrip' | 'webvtt'): Caption[] {
  const captions: Caption[] = [];
  for (let at = 0; at < lines.length && captions.length <= MAX_CAPTIONS; at++) {
    const timing = TIMING.exec(lines[at]!);
    if (!timing) continue;
    const own: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]!.trim() !== '' && !startsNext(lines, at + 1)) own.push(lines[++at]!);
    const [startS, endS] = [toSeconds(timing, 1), toSeconds(timing, 5)];
    const text = toPlainText(codec, own.join('\n'));
    if (endS > startS && text !== '') captions.push({ startS, endS, text });
  }
  return captions;
}

/** True where the next caption starts, also without an empty line before it. */
const startsNext = (lines: readonly string[], at: number): boolean =>
  TIMING.test(lines[at]!) || (/^\s*\d+\s*$/.test(lines[at]!) && TIMING.test(lines[at + 1] ?? ''));

function toSeconds(timing: RegExpExecArray, first: number): number {
  const [hours = '0', minutes = '0', seconds = '0', fraction = '0'] = timing.slice(first, first + 4);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}
