import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { captionsToWebVtt, READ_SUBTITLES, toLanguage } from '#platform/media/index';
import { runTask } from '#platform/threads/index';
import { problems } from '../problems.ts';
import type { SubtitleUpload } from '../types.ts';

/** A day of dense subtitles takes about 2 MiB. */
export const MAX_SUBTITLES_BYTES = 4 * 2 ** 20;
/** Players name subtitle files by their language: `talk.en.srt`. */
const NAMED_LANGUAGE = /\.([a-z]{2,3}(?:-[a-z0-9]{2,8})?)\.(?:srt|vtt)$/i;

/** Subtitles as they are stored, in WebVTT, and what the metadata of the video states about them. */
export type ParsedSubtitles = { bytes: Buffer; summary: Record<string, unknown> };

/** Reads the part `subtitles_file` of a form. Throws `subtitles_invalid` (400) or `subtitles_too_large` (413). */
export async function readSubtitles(filename: string, stream: Readable, signal: AbortSignal): Promise<ParsedSubtitles> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_SUBTITLES_BYTES) throw problems.subtitles_too_large();
    chunks.push(chunk);
  }
  return parseSubtitles({ filename, language: null, bytes: Buffer.concat(chunks) }, signal);
}

/** Throws `subtitles_invalid` (400) or `subtitles_too_large` (413). */
export async function parseSubtitles(
  { filename, language, bytes }: SubtitleUpload,
  signal?: AbortSignal,
): Promise<ParsedSubtitles> {
  if (bytes.length > MAX_SUBTITLES_BYTES) throw problems.subtitles_too_large();
  const file = await runTask(READ_SUBTITLES, bytes, { bytes: bytes.length, signal });
  if ('unusable' in file)
    throw problems.subtitles_invalid(
      `The subtitle file cannot be used: ${file.unusable}. Send SubRip (SRT) or WebVTT.`,
    );
  if (language !== null && toLanguage(language) === null)
    throw problems.subtitles_invalid('`language` must be a language tag such as `en` or `pt-BR`.');
  const { format, captions } = file;
  const spoken = toLanguage(language) ?? file.language ?? toLanguage(NAMED_LANGUAGE.exec(filename)?.[1]);
  const summary = {
    filename: filename.replaceAll('\0', ''),
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    format,
    language: spoken,
    captions: captions.length,
    start_s: captions[0]!.startS,
    end_s: Math.max(...lastEnds(captions)),
  };
  return { bytes: Buffer.from(captionsToWebVtt(captions, spoken)), summary };
}

/** Ends of the last captions: those that start later end later, but for overlaps. */
const lastEnds = (captions: readonly { endS: number }[]) => captions.slice(-100).map(({ endS }) => endS);
