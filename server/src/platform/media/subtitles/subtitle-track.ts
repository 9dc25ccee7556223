import type { Decoder } from '../engine/index.ts';
import { isEnglish, toLanguage } from './language.ts';
import { type Caption, isTextCodec, MAX_CAPTIONS, MAX_CHARACTERS, toPlainText } from './plain-text.ts';

/** Subtitles of a video. `language`: BCP 47 tag, null if it is not stated. */
export type Subtitles = { captions: Caption[]; language: string | null };
/** `codec`: FFmpeg's name. */
export type SubtitleTrack = Subtitles & { codec: string };

/** Duration of a caption if neither it nor the next one limits it. */
const DEFAULT_S = 4;

/**
 * Reads the track of text subtitles of a video: the first one in English, in which prompts are read, otherwise the
 * first one. Captions are in order of their start; what exceeds the limits is dropped. Null without such a track.
 */
export async function readSubtitleTrack(
  path: string,
  decoder: Pick<Decoder, 'metadataTracks' | 'readMetadataTrack'>,
): Promise<SubtitleTrack | null> {
  const all = await decoder.metadataTracks(path);
  const tracks = all.filter(({ kind, codec }) => kind === 'text' && isTextCodec(codec));
  const track = tracks.find(({ language }) => isEnglish(toLanguage(language))) ?? tracks[0];
  if (!track) return null;
  const texts = new TextDecoder();
  const found: Caption[] = [];
  let characters = 0;
  await decoder.readMetadataTrack(path, track, ({ timeS, durationS, data }) => {
    if (found.length >= MAX_CAPTIONS || characters >= MAX_CHARACTERS) return;
    const text = toPlainText(track.codec, texts.decode(data));
    characters += text.length;
    found.push({ startS: timeS, endS: durationS > 0 ? timeS + durationS : Number.NaN, text });
  });
  found.sort((a, b) => a.startS - b.startS);
  // Without a duration, a caption ends where the next packet starts; an empty packet shows nothing.
  for (const [index, caption] of found.entries())
    if (Number.isNaN(caption.endS)) caption.endS = found[index + 1]?.startS ?? caption.startS + DEFAULT_S;
  const captions = found.filter(({ startS, endS, text }) => text !== '' && endS > Math.max(0, startS));
  return { captions, language: toLanguage(track.language), codec: track.codec };
}
