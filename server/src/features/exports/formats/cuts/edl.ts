import type { EventSource } from '../../types.ts';
import { type FrameRate, nominal, rateOf, timecode, toFrames } from './frame-rate.ts';

/** Timelines start at one hour by convention. */
const START_S = 3600;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * A cut of all events as an edit decision list (CMX 3600). It has one frame rate, that of the first video; the times of
 * all videos are counted at it.
 */
export async function* writeEdl(events: EventSource): AsyncGenerator<string> {
  yield 'TITLE: Events\nFCM: NON-DROP FRAME\n';
  let rate: FrameRate | null = null;
  let number = 0;
  let record = 0;
  for await (const event of events()) {
    if (!rate) {
      rate = rateOf(event);
      record = START_S * nominal(rate);
    }
    const { start, count } = toFrames(event, rate);
    const at = [start, start + count, record, record + count].map((frame) => timecode(frame, rate!)).join(' ');
    yield `\n${String(++number).padStart(3, '0')}  AX       V     C        ${at}\n`;
    yield `* FROM CLIP NAME: ${oneLine(event.videoName)}\n* COMMENT: ${oneLine(event.label)}\n`;
    if (event.startAt !== null) yield `* COMMENT: START_AT=${event.startAt} END_AT=${event.endAt}\n`;
    record += count;
  }
}
