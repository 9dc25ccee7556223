/** A text that is shown over the video. Times are seconds from the first frame. */
export type Caption = { startS: number; endS: number; text: string };

/** Limits of one track or file: a day of speech stays below them. */
export const MAX_CAPTIONS = 50_000;
export const MAX_CHARACTERS = 4_000_000;
/** A text on the screen has a few lines; the rest of a longer one is dropped. */
const MAX_TEXT = 2_000;
/** Fields before the text of an ASS event, as containers store it. */
const ASS_FIELDS = 8;

/** Plain text of a packet, by codec. Subtitles of other codecs are images. */
const READERS: Record<string, (text: string) => string> = {
  mov_text: (text) => text,
  text: (text) => text,
  subrip: (text) => withoutMarkup(text.replace(/\{\\[^{}]*\}/g, '')),
  webvtt: (text) => withoutEntities(withoutMarkup(text)),
  ass: (text) => withoutOverrides(text.split(',').slice(ASS_FIELDS).join(',')),
};

/** True if FFmpeg's name of a codec is one of subtitles that are text. */
export const isTextCodec = (codec: string): boolean => Object.hasOwn(READERS, codec);

/** Plain text of a subtitle: lines without markup and control characters, at most 2,000 characters. */
export const toPlainText = (codec: string, text: string): string =>
  tidy(READERS[codec]!(text.slice(0, 4 * MAX_TEXT))).slice(0, MAX_TEXT);

/** Removes tags such as `<i>`. Text between other angle brackets stays. */
const withoutMarkup = (text: string): string => text.replace(/<\/?[a-z][^<>]*>/gi, '');

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };

const withoutEntities = (text: string): string =>
  text.replace(/&([a-z]+);/g, (entity, name) => (Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity));

/** Removes overrides of the style, such as `{\i1}`, and breaks lines. */
const withoutOverrides = (text: string): string =>
  text
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\\N/gi, '\n')
    .replace(/\\h/g, ' ');

/** Lines without control characters; an empty line would end a caption in WebVTT. */
const tidy = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
    .map((line) => line.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '').trim())
    .filter(Boolean)
    .join('\n');
