import type { Caption } from './plain-text.ts';

export type CaptionFormat = 'vtt' | 'srt';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Formats captions as WebVTT. Their text is shown as it is. The header states the language, if it is known. */
export function captionsToWebVtt(captions: readonly Caption[], language: string | null = null): string {
  const cues = captions.map(({ startS, endS, text }) => {
    const shown = text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
    return `${formatTimestamp(Math.max(0, startS))} --> ${formatTimestamp(endS)}\n${shown}\n`;
  });
  return `WEBVTT\n${language === null ? '' : `Language: ${language}\n`}\n${cues.join('\n')}`;
}

/** Formats captions as SubRip. It has no escapes: an arrow in a text, which would be read as a time, is replaced. */
export const captionsToSrt = (captions: readonly Caption[]): string =>
  captions
    .map(({ startS, endS, text }, i) => {
      const [start, end] = [Math.max(0, startS), endS].map((timeS) => formatTimestamp(timeS).replace('.', ','));
      return `${i + 1}\n${start} --> ${end}\n${text.replaceAll('-->', '→')}\n`;
    })
    .join('\n');

/** Formats captions as a file of the format. Only WebVTT states the language. */
export const formatCaptions = (
  captions: readonly Caption[],
  format: CaptionFormat,
  language: string | null = null,
): string => (format === 'vtt' ? captionsToWebVtt(captions, language) : captionsToSrt(captions));

/** `hh:mm:ss.mmm` */
export function formatTimestamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
