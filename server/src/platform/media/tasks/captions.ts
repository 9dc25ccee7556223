import type { MediaEngine } from '../engine/index.ts';

/** A text that is shown over the video. Times are seconds from the first frame. */
export type Caption = { startS: number; endS: number; text: string };

/** Limits of one video: a day of speech stays below them. */
const MAX_CAPTIONS = 50_000;
const MAX_CHARACTERS = 4_000_000;
/** Duration of a caption if neither it nor the next one limits it. */
const DEFAULT_S = 4;
/** Fields before the text of an ASS event, as containers store it. */
const ASS_FIELDS = 8;

/** Plain text of a packet, by codec. Subtitles of other codecs are images. */
const READERS: Record<string, (text: string) => string> = {
  mov_text: (text) => text,
  text: (text) => text,
  subrip: withoutMarkup,
  webvtt: (text) => withoutEntities(withoutMarkup(text)),
  ass: (text) => withoutOverrides(text.split(',').slice(ASS_FIELDS).join(',')),
};

/** Task of `Media.captions`. */
export async function captions({ path }: { path: string }, { decoder }: { decoder: MediaEngine }): Promise<Caption[]> {
  const tracks = await decoder.metadataTracks(path);
  const track = tracks.find(({ kind, codec }) => kind === 'text' && codec in READERS);
  if (!track) return [];
  const read = READERS[track.codec]!;
  const texts = new TextDecoder();
  const found: Caption[] = [];
  let characters = 0;
  await decoder.readMetadataTrack(path, track, ({ timeS, durationS, data }) => {
    if (found.length >= MAX_CAPTIONS || characters >= MAX_CHARACTERS) return;
    const text = tidy(read(texts.decode(data)));
    characters += text.length;
    found.push({ startS: timeS, endS: durationS > 0 ? timeS + durationS : Number.NaN, text });
  });
  found.sort((a, b) => a.startS - b.startS);
  // Without a duration, a caption ends where the next packet starts; an empty packet shows nothing.
  for (const [index, caption] of found.entries())
    if (Number.isNaN(caption.endS)) caption.endS = found[index + 1]?.startS ?? caption.startS + DEFAULT_S;
  return found.filter(({ startS, endS, text }) => text !== '' && endS > Math.max(0, startS));
}

/** Removes tags such as `<i>`. Text between other angle brackets stays. */
function withoutMarkup(text: string): string {
  return text.replace(/<\/?[a-z][^<>]*>/gi, '');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };

function withoutEntities(text: string): string {
  return text.replace(/&([a-z]+);/g, (entity, name) => ENTITIES[name] ?? entity);
}

/** Removes overrides of the style, such as `{\i1}`, and breaks lines. */
function withoutOverrides(text: string): string {
  return text
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\\N/gi, '\n')
    .replace(/\\h/g, ' ');
}

/** Lines without control characters; an empty line would end a caption in WebVTT. */
const tidy = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
    .map((line) => line.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '').trim())
    .filter(Boolean)
    .join('\n');
