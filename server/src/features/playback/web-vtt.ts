import type { Caption } from '#platform/media/index';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Formats captions as WebVTT. Their text is shown as it is. */
export function captionsToWebVtt(captions: readonly Caption[]): string {
  const cues = captions.map(({ startS, endS, text }) => {
    const shown = text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
    return `${formatTimestamp(Math.max(0, startS))} --> ${formatTimestamp(endS)}\n${shown}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

/** `hh:mm:ss.mmm` */
export function formatTimestamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
