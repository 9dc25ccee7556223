import { NO_LOOKS, REASONS } from '../../reasons.ts';
import type { Entry } from '../../tokens/senses.ts';
import { PICTURES, words } from '../entry.ts';

const filler = (...phrases: string[]): Entry => words('other', phrases.join(', '), { type: 'filler' });
const vague = (reason: string, ...phrases: string[]): Entry =>
  words('other', phrases.join(', '), { type: 'vague', reason });

const WITHOUT = 'the rest was looked for without it';
const APART = `this word cannot be used to distinguish objects; ${WITHOUT}`;

/** Words for a part of a video: "clips where", "moments when" introduce the question. */
const OCCASIONS = [
  'clip',
  'video',
  'part',
  'moment',
  'time',
  'scene',
  'instance',
  'case',
  'event',
  'occasion',
  'segment',
  'footage',
  'frame',
  'situation',
  'example',
  'point',
  'place',
  'shot',
].flatMap((occasion) => [occasion, `${occasion}s`]);

/** Words without content, and words that are understood and not measured. */
export const fillers: readonly Entry[] = [
  words(
    'other',
    'is, are, be, been, being, am, was, were, gets, get, getting, got, does, do, did, its, their, his, her, completely, fully, complete, full, total, partly, partially, very, too, ever',
    { type: 'filler', light: true },
  ),
  words('other', 'has, have, had', { type: 'filler', light: true, owns: true }),
  words('other', 'the', { type: 'filler', light: true, article: 'definite' }),
  words('other', 'one of them, some of them, each of them', { type: 'filler', article: 'definite' }),
  words('other', 'a, an', { type: 'filler', light: true, article: 'indefinite', indefinite: 'one' }),
  words('other', 'another, every, each, some, one of', { type: 'filler', indefinite: 'one' }),
  words('other', 'any', { type: 'filler', indefinite: 'any' }),
  words('other', 'doing', { type: 'filler', acts: true }),
  words('other', 'could, should, may, might, must, would', { type: 'filler' }, { type: 'control', bare: true }),
  words(
    'other',
    'have to, has to, had to, need to, needs to, needed to, want to, would like to',
    { type: 'filler' },
    { type: 'control', bare: true },
  ),
  words('other', 'monitor, watch', { type: 'filler', noun: true }),
  // Little words.
  filler(
    "there's, there're, we see, i see, we saw, i saw, we can see, i can see, you can see",
    'goes, will, can, becomes, become, that, which, whom, whose, there, here',
    'all, this, these, those, such, also, very, really, actually, so, just, now',
    "currently, whether, if, what, where, in which, where there is, when there is, when there are, that is, it's, s, t",
    'of, other, anymore, any more, any longer, own, ones, exact, full, whole, entire, total, overall, altogether',
    'anywhere, somewhere, right now, rn, theres, pls,',
    'either, in total, to be, can be, be able to, if any, with any, kind of, sort of, type of, kinds, types',
  ),
  // People, and politeness.
  filler(
    'you, u, i, me, my, our, your, let, let us, let me know, let us know, need, want, like, would like',
    'wonder, know, do you, please, pls, plz, kindly, hey, hi, hello, sure, thank, thanks, thank you',
    "i'd, i'd like to, i'd like, i'm, i'm looking for, i've",
  ),
  // Requests.
  filler(
    'find, find me, gimme, gimme all, find all, find when, search, search for, look, look for, looking for, watch for, see, spot, identify',
    'locate, observe, detect, detecting, detection, detection of, detect when, check, check for, pick out, point out',
    'show, show me, show us, give, give me, give us, tell, tell me, tell us, list, get me, extract, retrieve, fetch',
    'return clips, return all, return every, return the, report, report when, report if, log when, record when',
    'alert, alert me, alert us, alert when, alert me when, alert me if, notify, notify me, notify us, notify me when',
    'warn me, warn me when, let me know when, alarm when, alarm if, flag when, flag if, flag any, flag every, flag all',
    'highlight, mark when, mark any, mark every, mark all, help, help me, help us, make sure, ensure, ensure that',
  ),
  // Occurrence.
  filler(
    'happens, happen, happening, happened, occurring, taking place, takes place, begins, begin, begins to, starts to',
    'make, makes, making, made, at any time, at some point, at any point, at any moment, at one point, at all, even once, in either direction, in both directions',
    'in any direction, either direction, both directions, either way, both ways',
  ),
  // The video and its parts.
  filler(
    ...PICTURES,
    'vid, vids, clip, recording, film, movie, shot, shot of, shots of, scenes, frames, pictures, images, videos, clips, footages, cctv, camera feed',
    'moment, moments, time, times, instance, instances, event, events, occasion, occasions, occurrence, occurrences',
    'segment, segments, sequence, case, cases, situation, situations, example, examples, timestamp, timestamps, point',
    'place, period, periods, stretch, stretches, interval, intervals, clip length, part of the video, of the video',
    'during the video, in the video, in this video, in the clip, in this clip, in the footage, on video, of the day, since the start, since start, since the beginning',
  ),
  filler(
    ...OCCASIONS.flatMap((o) => [`${o} where`, `${o} when`, `${o} in which`, `${o} that`, `${o} with`]),
    ...OCCASIONS.flatMap((o) => [`every ${o}`, `each ${o}`, `any ${o}`, `all ${o}`]),
  ),
  filler('who, whoever, who is, whos'),
  filler('or nah, or not, or no'),
  words('other', 'it, he, she, they, him, them, itself, himself, herself, themselves', { type: 'pronoun' }),
  vague(`${REASONS.others}; ${WITHOUT}`, 'else'),
  vague(
    REASONS.notMeasured,
    'suddenly, sudden, abruptly, abrupt, immediately, shortly, soon, quickly, quick, rapidly, rapid, fast, briskly',
    'slowly, slow, gradually, smoothly, gently, carefully, sharply, sharp, hard, harsh, harshly, heavily, heavy',
    'strongly, strong, slightly, slight, dangerously, aggressively, erratically',
    'again, finally again, then again, back, back and forth, repeatedly, twice, once more, first time, often, frequently',
    'overnight, constantly, continuously, half the time, half of the time, half the video, half of the video, most of the video, every few seconds, every few minutes, every now and then, from time to time, occasionally, sometimes, briefly, for a while, for a long time, long, a long time, most of the time',
    'straight, forward, forwards, backwards, directly, around the, close, closely, far, further',
    'clearly, about, approximately, approx, roughly, around about, especially, mostly, mainly',
    'maybe, possibly, perhaps, probably, likely',
  ),
  words(
    'other',
    'always, all the time, the whole time, whole time, entire time, whole video, entire video, whole clip, throughout, throughout the video, throughout the clip, from start to finish, from start to end, from beginning to end, at all times, during the whole video',
    { type: 'throughout' },
  ),
  words('other', 'almost, nearly', { type: 'control', bare: true }, { type: 'vague', reason: REASONS.notMeasured }),
  vague(
    `times count from the start of the video, not by the calendar; ${WITHOUT}`,
    'today, tonight, yesterday, yesterday evening, last night, last week, last month, this morning, this week, at weekends, on weekends, at midnight, at noon, during lunch',
  ),
  words('other', 'same, original, identical, previous', { type: 'identity' }, { type: 'vague', reason: APART }),
  words('other', 'different', { type: 'identity', plural: true }, { type: 'vague', reason: APART }),
  words('other', 'waiting, waits, wait, waited', { type: 'control', waits: true }),
  words(
    'other',
    'about, going, ready, due, supposed, allowed, trying, tries, try, tried, attempting, attempts, attempt, attempted, pretending, pretends, pretend, pretended, refusing, refuses, refuse, refused, failing, preparing, prepares, prepare, prepared, wants, wanted, wanting, hoping, hopes, hesitating, hesitates, forgetting, forgets, forget, forgot, able, unable, planning, plans, deciding, decides, hurrying, hurries, asked, told, forced',
    { type: 'control', always: true },
  ),
  vague(
    NO_LOOKS,
    'big, large, small, tiny, little, huge, tall, short, old, new, young, elderly, adult, male, female, blond, blonde, clean, dirty, loaded',
  ),
  vague(
    APART,
    'unknown, unidentified, unfamiliar, various, certain, specific, main, leading, front, rear',
    'nearer, bigger, larger, smaller, taller, shorter, older, younger, newer, leftmost, left most, rightmost, right most, topmost, nearest, closest, biggest, largest, smallest',
    'nice, busy, whole, visible clearly',
    'in a line, in line, in single file, single file, in a queue, in queue, in formation, in a circle, in pairs, by themselves, one at a time, one by one, one after the other, one after another, in a row, back to back, in each direction, each direction, per direction, both sides, on both sides, each side, on each side',
    'restricted, forbidden, prohibited, secure, local, foreign, wild, ordinary, normal, real, commercial, private, public, heavy duty, electric',
  ),
];
