import { createHash } from 'node:crypto';
import type { Adversary } from './vision-adversaries.ts';
import type { VisionModelRequest } from './vision-model.ts';
import { kindOf, optionsIn, questionsIn } from './vision-oracle.ts';

/**
 * Errors of a noisy oracle. `any`: in every answer, also about plain images and scenes that cannot be there.
 * `footage`: only about the statement of the prompt, so that no question with a known answer shows them.
 * `repeated`: the same, and every look at one part of the video errs alike.
 */
export type Noise = 'any' | 'footage' | 'repeated';

/** Length of the parts of a video about which `repeated` errors are the same, in seconds. */
const PART_S = 8;

type Event = { question: number; first_frame: number; last_frame: number; label: string; confidence: number };

/**
 * An oracle that errs with a probability: a statement that frames show is denied, one that they do not show is claimed
 * of random frames. The same request has the same answer in every run.
 */
export function noisyOracle(rate: number, noise: Noise, requested: string): Adversary {
  const isErring = (request: VisionModelRequest, text: string, place: string | number) => {
    if (noise !== 'any' && text !== requested) return false;
    const subject = noise === 'repeated' ? [videoOf(request), partOf(request)] : [request.texts, request.images, place];
    return chanceOf([subject, text]) < rate;
  };
  return (request, truth) => {
    const json = (value: object) => ({ ...truth, text: JSON.stringify(value) });
    switch (kindOf(request)) {
      case 'claims': {
        const { seen, events } = JSON.parse(truth.text!) as { seen: object[]; events: Event[] };
        const noisy = questionsIn(request).flatMap((text, i): Event[] => {
          const own = events.filter(({ question }) => question === i + 1);
          if (!isErring(request, text, i)) return own;
          if (own.length > 0) return [];
          const frames = request.images.length;
          const [a, b] = ['first', 'last'].map((end) => 1 + Math.floor(chanceOf([request.texts, text, end]) * frames));
          const [first_frame, last_frame] = [Math.min(a!, b!), Math.max(a!, b!)];
          return [{ question: i + 1, first_frame, last_frame, label: text, confidence: 0.9 }];
        });
        return json({ seen, events: noisy });
      }
      case 'choice': {
        const options = optionsIn(request);
        const { text } = options.find(({ option }) => option === 'requested')!;
        const { choice } = JSON.parse(truth.text!) as { choice: string };
        if (!isErring(request, text, 'choice')) return truth;
        const isYes = options.find(({ letter }) => letter === choice)!.option === 'requested';
        return json({ choice: options.find(({ option }) => option === (isYes ? 'neither' : 'requested'))!.letter });
      }
      case 'edges': {
        const { so } = JSON.parse(truth.text!) as { so: boolean[] };
        return json({ so: so.map((each, i) => (isErring(request, requested, i) ? !each : each)) });
      }
      default:
        return truth;
    }
  };
}

/** A number from 0 to 1 by the digest of values. */
export function chanceOf(values: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(values)).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/** The part of the video that most frames are of. */
function partOf({ texts }: VisionModelRequest): number {
  const times = texts.flatMap((text) => /^Frame \d+ <([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
  return Math.floor((times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0) / PART_S);
}

/** Frames of generated clips are their times, and what the clip shows. */
const videoOf = ({ images }: VisionModelRequest) =>
  Buffer.from(images[0]?.split(',')[1] ?? '', 'base64')
    .toString()
    .replace(/^\D+[\d.]+ of /, '');
