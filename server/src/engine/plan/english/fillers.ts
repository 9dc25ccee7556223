import type { Entry } from '../lexicon.ts';
import { words } from './entry.ts';

/** What a part of a video is called: "clips where", "moments when" ask for the rest of the sentence. */
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
];

/** What carries nothing to look for, and what is understood and not measured. */
export const fillers: readonly Entry[] = [
  words(
    'other',
    'the, is, are, be, been, being, am, was, were, gets, get, getting, got, has, have, had, does, do, did, its, their, his, her, completely, fully, complete, full, total, partly, partially, very, too',
    { type: 'filler', light: true },
  ),
  words('other', 'monitor, watch', { type: 'filler', noun: true }),
  words('other', 'a, an', { type: 'filler', light: true, indefinite: true }),
  words(
    'other',
    "goes, will, would, can, could, should, may, might, must, becomes, become, that, which, whom, whose, there, here, any, all, every, each, some, this, these, those, such, also, very, really, actually, it's, s, t, so, too, of the, please, kindly, just, ever, now, currently, you, i, me, my, our, your, tell us, let us know, show us, give us, alert us, notify us, help us, let us, need, want, like, would like, let me know, whether, if, find, search, search for, look, look for, looking for, show, show me, give, give me, tell, tell me, detect, detecting, detection of, detection, identify, locate, spot, list, report, extract, retrieve, fetch, alert, alert me, alert when, alert me when, alert me if, notify, notify me, notify me when, flag when, flag if, flag any, flag every, flag all, mark when, mark any, mark every, mark all, warn me, warn me when, let me know when, check, check for, observe, see, watch for, return clips, return all, return every, return the, get me, help, help me, find me, point out, pick out, where there is, in which, where, doing, know, hey, sure, make sure, ensure, ensure that, period, periods, stretch, stretches, interval, intervals, report when, report if, find when, detect when, log when, record when, alarm when, alarm if, wonder, want to, need to, would like to, make, makes, making, made, clip length, video, clip, footage, recording, film, movie, picture, image, frame, screen, view, scene, shot, frames, pictures, images, videos, clips, moment, moments, times, time, instance, instances, event, events, occasion, occasions, occurrence, occurrences, segment, segments, part of the video, sequence, case, cases, situation, situations, example, examples, timestamp, timestamps, of, when there is, when there are, what, kind of, sort of, type of, camera feed, cctv, footages, full, whole, entire, hello, hi, thanks, thank, thank you, at any time, at some point, point, place, to be, begins, begin, begins to, starts to, happens, happen, happening, happened, occurring, taking place, takes place, exact, find all, another, other, else, one of, kinds, types, own, in total, overall, total, altogether, ones, can be, be able to, do you, if any, with any, that is, let, during the video, in the video, in this video, in the clip, in this clip, in the footage, of the video, on video, in either direction, in both directions, in any direction, either direction, both directions, either way, both ways",
    { type: 'filler' },
  ),
  words(
    'other',
    OCCASIONS.flatMap((o) => [o, `${o}s`])
      .flatMap((o) => [
        `${o} where`,
        `${o} when`,
        `${o} in which`,
        `${o} that`,
        `every ${o}`,
        `each ${o}`,
        `any ${o}`,
        `all ${o}`,
      ])
      .join(', '),
    { type: 'filler' },
  ),
  words('other', 'who, whoever, who is', { type: 'filler' }),
  words('other', 'it, he, she, they, him, them, itself, himself, herself, themselves', { type: 'pronoun' }),
  words(
    'other',
    'suddenly, sudden, quickly, fast, slowly, slow, rapidly, rapid, briskly, sharply, sharp, hard, harsh, harshly, abruptly, abrupt, gently, carefully, dangerously, dangerous, aggressively, erratically, quick, gradually, smoothly, heavily, heavy, strongly, strong, slightly, slight, immediately, shortly, soon, again, repeatedly, twice, once more, first time, often, frequently, always, constantly, continuously, briefly, for a while, for a long time, long, a long time, finally again, back, then again, straight, forward, forwards, backwards, around the, back and forth, directly, close, closely, far, further, clearly, almost, nearly, about, approximately, roughly, around about, especially, mostly, most of the time, mainly, maybe, possibly, perhaps, probably, likely',
    { type: 'vague', reason: 'nothing here measures this word; the rest was looked for without it' },
  ),
  words(
    'other',
    'same, different, unknown, unidentified, unfamiliar, big, large, small, tiny, little, huge, tall, short, old, new, young, elderly, adult, male, female, blond, blonde, nice, clean, dirty, whole, busy, loaded, local, foreign, various, certain, specific, main, nearest, closest, biggest, largest, smallest, front, rear, leading, wild, ordinary, normal, visible clearly, real, commercial, private, public, heavy duty, electric',
    { type: 'vague', reason: 'nothing here tells things apart by this word; the rest was looked for without it' },
  ),
];
