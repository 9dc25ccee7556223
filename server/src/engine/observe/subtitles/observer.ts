import { type Caption, readSubtitleFile, readSubtitleTrack } from '#platform/media/index';
import { cleanText, hasWord } from '../speech/clean-text.ts';
import { readCaption } from '../telemetry/dji.ts';
import { defineTaskObserver, type TaskObserverContext } from '../types.ts';
import type { SubtitleText } from './observation.ts';

/**
 * Reads the subtitles of a video as what is spoken: those of the file that was added to it, otherwise its track of
 * text. Null if it has none. Nothing is decoded.
 */
export const subtitles = defineTaskObserver({
  kind: 'subtitles',
  version: 'subtitles-1',
  depth: 'both',
  onDemand: true,
  relativeDuration: 0,
  encode(observation: SubtitleText | null) {
    if (observation === null) return { facts: { found: false }, arrays: {} };
    const { source, language, texts, ...arrays } = observation;
    return { facts: { found: true, source, language, texts }, arrays };
  },
  decode({ facts, arrays }): SubtitleText | null {
    const { found, ...own } = facts as Pick<SubtitleText, 'source' | 'language' | 'texts'> & { found: boolean };
    return found ? ({ ...own, ...arrays } as SubtitleText) : null;
  },
  async observe({ path, video, subtitles, decoder }: Input) {
    const file = subtitles && readSubtitleFile(subtitles);
    const stated = file && 'captions' in file ? { ...file, source: 'file' } : null;
    const track = stated ?? (await readSubtitleTrack(path, decoder));
    const observation = track && toText(track.captions, 'source' in track ? track.source : `${track.codec} track`);
    return { observation: observation && { ...observation, language: track.language }, durationS: video.durationS };
  },
});
type Input = Pick<TaskObserverContext, 'path' | 'video' | 'subtitles' | 'decoder'>;

/** Null if nothing is spoken: the subtitles of drones are measurements. */
function toText(captions: readonly Caption[], source: string): Omit<SubtitleText, 'language'> | null {
  const spoken = captions
    .filter(({ text }) => Object.keys(readCaption(text)).length === 0)
    .map((caption) => ({ ...caption, text: cleanText(caption.text) }))
    .filter(({ text }) => hasWord(text));
  // Few captions of a drone lack a measurement, such as the first one.
  if (spoken.length === 0 || spoken.length < captions.length / 2) return null;
  return {
    source,
    texts: spoken.map(({ text }) => text),
    startS: Float64Array.from(spoken, ({ startS }) => startS),
    endS: Float64Array.from(spoken, ({ endS }) => endS),
  };
}
