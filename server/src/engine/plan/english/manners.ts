import type { Entry } from '../meaning/senses.ts';
import { NO_LOOKS, REASONS } from '../reasons.ts';
import { words } from './entry.ts';

const vague = (reason: string, ...phrases: string[]): Entry =>
  words('other', phrases.join(', '), { type: 'vague', reason });

const WITHOUT = 'the rest was looked for without it';

/** Words that are understood and not measured: manners and looks. */
export const manners: readonly Entry[] = [
  vague(`${REASONS.others}; ${WITHOUT}`, 'else'),
  vague(
    REASONS.notMeasured,
    'suddenly, sudden, abruptly, abrupt, immediately, shortly, soon, quickly, quick, rapidly, rapid, fast, briskly',
    'slowly, slow, gradually, smoothly, gently, carefully, sharply, sharp, hard, harsh, harshly, heavily, heavy',
    'strongly, strong, slightly, slight, dangerously, aggressively, erratically',
    'again, finally again, then again, back, back and forth, repeatedly, twice, once more, first time, often, frequently',
    'overnight, constantly, continuously, every few seconds, every few minutes, every now and then, from time to time, occasionally, sometimes, briefly, for a while, for a long time, long, a long time, most of the time',
    'straight, forward, forwards, backwards, directly, close, closely, far, further',
    'in both directions, in opposite directions, in different directions, both directions, opposite directions',
    'clearly, about, approximately, approx, roughly, around about, especially, mostly, mainly',
    'maybe, possibly, perhaps, probably, likely',
  ),
  words(
    'other',
    'start to end, start to finish, beginning to end, all the way through, the whole way through, always, all the time, the whole time, whole time, entire time, whole video, entire video, whole clip, throughout, throughout the video, throughout the clip, from start to finish, from start to end, from beginning to end, at all times, during the whole video, all along, all through, for the whole clip, for the whole video, for the entire clip, for the entire video, throughout the recording, throughout the footage, during the whole clip, all the way to the end',
    { type: 'throughout' },
  ),
  vague(
    NO_LOOKS,
    'big, large, small, tiny, little, huge, tall, short, old, new, young, elderly, adult, male, female, blond, blonde, clean, dirty, loaded',
  ),
  vague(
    REASONS.apart,
    'unknown, unidentified, unfamiliar, various, certain, specific, main, leading, front, rear',
    'nearer, bigger, larger, smaller, taller, shorter, older, younger, newer, topmost, nearest, closest',
    'nice, busy, whole, visible clearly',
    'in a line, in line, in single file, single file, in a queue, in queue, in formation, in a circle, in pairs, by themselves, one at a time, one by one, one after the other, one after another, in a row, back to back, in each direction, each direction, per direction, both sides, on both sides, each side, on each side',
    'restricted, forbidden, prohibited, secure, local, foreign, wild, ordinary, normal, real, commercial, private, public, heavy duty, electric',
  ),
];
