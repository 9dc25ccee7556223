import type { Surface } from '../../meaning/types.ts';
import type { SoundName } from '../../terms.ts';
import type { Category } from './categories.ts';
import { type VerbForm, verbForms } from './morphology.ts';

/** Words that connect others, by category: commas separate phrases, and each phrase may have features. */
type Entry = { phrases: string; category: Category; features?: object };

const words = (category: Category, phrases: string, features?: object): Entry => ({ category, phrases, features });
/** Words that each have their form. */
const forms = (category: Category, table: Readonly<Partial<Record<VerbForm, string>>>): Entry[] =>
  Object.entries(table).map(([form, phrases]) => words(category, phrases, { form }));
const inflected = (category: Category, verbs: string): Entry[] =>
  verbs.split(', ').flatMap((verb) => verbForms(verb).map(({ phrase, form }) => words(category, phrase, { form })));
/** Verbs for a sound, with the classes of objects that make it; without any, "it" does. */
const sounding = (sound: SoundName, makers: readonly string[], verbs: string): Entry[] =>
  inflected('SoundVerb', verbs).map(({ features, ...each }) => ({
    ...each,
    features: { ...features, sense: { type: 'sound', sound, makers } },
  }));
const inside = (phrases: string, surface: Surface) => words('In', phrases, { surface });

const VIDEO = ['video', 'clip', 'footage', 'recording', 'film', 'movie', 'vid'];
const FRAME = ['frame', 'picture', 'image', 'view', 'scene', 'shot', 'screen'];
const inVideo = [
  ...VIDEO.flatMap((noun) => ['in the', 'in this', 'during the', 'on'].map((at) => `${at} ${noun}`)),
  ...FRAME.flatMap((noun) => ['in the', 'in', 'on the', 'on'].map((at) => `${at} ${noun}`)),
].join(', ');

/** The closed classes of English. */
export const CLOSED_CLASSES: readonly Entry[] = [
  words('Determiner', 'the, this, that, these, those, all the, all of the, all these', { type: 'definite' }),
  words('Determiner', 'one of them, some of the, any of the, one of the, each of the', { type: 'definite' }),
  words('Determiner', 'a, an', { type: 'indefinite' }),
  words('Determiner', 'some, all', { type: 'indefinite' }),
  words('Determiner', 'every, each', { type: 'each' }),
  words('Determiner', 'any', { type: 'any' }),
  words('Determiner', 'another', { type: 'indefinite' }),
  words('Other', 'the other, other, the next, next', { type: 'other' }),
  words('Possessive', 'his, her, their, its, my, our, your'),
  words('No', 'no, not a, not any, not a single, not one, zero'),
  words('Not', 'not, never, no longer'),
  words('Without', 'without, without any, without a, w/o, w/out'),
  ...forms('Be', { present: "is, are, am, r, 're", past: 'was, were', base: 'be', ing: 'being', participle: 'been' }),
  words('BeNot', "isn't, aren't, wasn't, weren't"),
  ...forms('Get', { present: 'gets', past: 'got', base: 'get', ing: 'getting', participle: 'gotten' }),
  words('Do', 'do, does, did'),
  words('DoNot', "don't, doesn't, didn't"),
  ...forms('Have', { present: 'has, have', past: 'had', base: 'have', ing: 'having' }),
  words('HaveNot', "hasn't, haven't, hadn't"),
  words('Can', 'can, could'),
  words('CanNot', "can't, cannot"),
  words('There', 'there'),
  words('Here', 'here, there'),
  words('Who', 'who, that, which'),
  words('Pronoun', 'he, she, him', { person: true }),
  words('Pronoun', 'it, they, them', { person: false }),
  words('Expletive', 'it'),
  words('One', 'one, ones'),
  ...inflected('Return', 'return, come back, get back, go back in, come back in, walk back in'),
  ...inflected('Come', 'come'),
  words('Again', 'again, once more, another time'),
  words('Else', 'else'),
  words('OrdinalSuffix', 'st, nd, rd, th'),
  ...(['second', 'third', 'fourth', 'fifth'] as const).map((pick) =>
    words('Ordinal', pick, { sense: { type: 'pick', pick } }),
  ),
  words('And', 'and, plus, as well as, and also, &, +'),
  words('Or', 'or, /, vs, versus, and or'),
  words('But', 'but, yet, although, though'),
  words('Comma', ','),
  words('Stop', '., ;, !'),
  words('QuestionMark', '?'),
  words('Neither', 'neither'),
  words('Nor', 'nor, or'),
  words('Then', 'then, and then, after that, afterwards, afterward, subsequently, thereafter, and later'),
  words('Then', 'and after that, after which, and finally, →, followed by, before'),
  words('After', 'after, once, as soon as, right after, immediately after, shortly after'),
  words('Before', 'before, right before, just before, shortly before, prior to'),
  words('While', 'while, whilst, when, whenever, at the same time as, as'),
  words('Until', 'until, till'),
  words('Within', 'within'),
  words('Later', 'later'),
  words('Between', 'between'),
  words('To', 'to'),
  words('From', 'from, starting from, starting at, beginning at'),
  words('Of', 'of'),
  words('For', 'for, lasting, lasts'),
  words('By', 'by'),
  words('With', 'with, w/, w'),
  inside('in, inside of', 'in'),
  inside('on', 'on'),
  inside('at', 'at'),
  words('Into', 'into'),
  words('Out', 'out of, out'),
  words('Past', 'past'),
  words('Across', 'across, through, thru, along'),
  words('Towards', 'towards, toward, in the direction of'),
  words('Wearing', 'in, dressed in, clad in', { form: null }),
  words('Wearing', 'wearing', { form: 'ing' }),
  words('Wearing', 'wears, wore', { form: 'present' }),
  words('Wearing', 'wear', { form: 'base' }),
  words('AtOnce', 'at the same time, simultaneously, at once, at a time, in the same frame, in the same picture'),
  words('OrMore', 'or more, or longer, and more, or above, or over, or faster'),
  words('OrLess', 'or fewer, or less, or shorter, or below, or under, or slower'),
  words('Dash', '-'),
  ...inflected('Begin', 'begin to, start to'),
  words('Polite', 'please, pls, plz, thanks, thank you, hi, hey, hello, kindly, for me, can you, could you, would you'),
  words(
    'Command',
    'find, find me, find all, find every, show, show me, show us, search for, search, look for, looking for',
  ),
  words(
    'Command',
    'give me, tell me, list, list all, detect, alert me, alert me when, alert me if, notify me when, see',
  ),
  words(
    'Command',
    'notify me if, let me know when, let me know if, report when, watch for, i need, i want to see, get me',
  ),
  words('Command', 'i would like to see, can you show me, can you find, could you find, could you show me, find when'),
  words(
    'Command',
    'tell me when, spot, locate, return all, make sure, ensure, alert when, alert if, notify if, log when',
  ),
  words('Command', 'i see, we see'),
  words('Seen', 'do you see, can you see, did you see, can we see, do we see, did we see, can i see, have you seen'),
  words('Only', 'only'),
  words('InVideo', inVideo),
  words(
    'InVideo',
    'on camera, on video, at some point, at any point, at any time, in total, overall, at all, anywhere',
  ),
  words(
    'InVideo',
    'during this, in this, in this one, in here, on here, over the whole thing, over the whole video, over all of it',
  ),
  words('InVideo', 'ever, right now, now, currently, at the moment, rn'),
  words('Adverb', 'later, afterwards, still, just, also, actually, really, even, currently, ever'),
  words('If', 'if, whether, when, whenever, where, in which, that'),
  words('What', "what, what's, whats"),
  words('Which', 'which, what'),
  words('Camera', 'i, me', { sense: { type: 'camera', carrier: true } }),
  words('WhatHappens', 'does anything happen, did anything happen, summarize this video, anything happening'),
  words('Turn', 'time'),
  words('Edge', 'the start, start, the beginning, beginning', { window: 'first' }),
  words('Edge', 'the end, end', { window: 'last' }),
  words('Total', 'total, total time of, total amount of, total length of, total duration of, overall'),
  words('Met', 'we meet, we met, we see, we saw, i see, you see, you can see, we pass, we encounter, we come across'),
  words('More', 'more', { compare: 'more' }),
  words('More', 'fewer, less', { compare: 'less' }),
  words('Longer', 'longer, for longer', { compare: 'more' }),
  words('Longer', 'shorter, less long', { compare: 'less' }),
  words('Than', 'than, compared to, compared with'),
  words('Except', 'except, except for, excluding, apart from, other than, but not, besides, not counting'),
  words(
    'ShareWord',
    'how much, what percentage, what percent, what share, what fraction, what proportion, what part, which percentage, percentage, percent, share, fraction, proportion',
  ),
  words(
    'Span',
    'time, trip, drive, ride, journey, route, tour, shift, recording, whole thing, whole time, whole video',
  ),
  words('InPercent', 'in percent, in %, as a percentage, in percentage, as percentage'),
  words('Average', 'on average, in average, on the average, typically'),
  words(
    'AtMost',
    'at most, at the most, at the busiest moment, at the busiest time, at the peak, at peak, at its busiest, at any one time, max, maximum',
  ),
  words('Statistic', 'average, mean, avg', { statistic: 'mean' }),
  words('Statistic', 'highest, maximum, max, top, peak, greatest', { statistic: 'highest' }),
  words('Statistic', 'lowest, minimum, min, smallest', { statistic: 'lowest' }),
  words('HowFast', 'how fast, at what speed, at which speed', { sense: { type: 'quantity', quantity: 'speed' } }),
  words('Fraction', 'half', { share: 1 / 2 }),
  words('Fraction', 'third', { share: 1 / 3 }),
  words('Fraction', 'quarter', { share: 1 / 4 }),
  words('Confirm', "right, correct, yes, ok, isn't it, is that right, is that correct, true"),
  ...sounding('rain', [], 'rain'),
  ...sounding('thunder', [], 'thunder'),
  ...sounding('dog_bark', ['dog'], 'bark, howl, growl'),
  ...sounding('cat_meow', ['cat'], 'meow'),
  ...sounding('birds', ['bird'], 'chirp, tweet'),
  ...sounding('car_horn', ['car', 'truck', 'bus', 'motorcycle', 'person'], 'honk'),
  ...sounding('speech', ['person'], 'talk, speak, chat'),
  ...sounding('scream', ['person'], 'scream, shriek'),
  ...sounding('laughter', ['person'], 'laugh, giggle'),
  ...sounding('sneeze', ['person'], 'sneeze'),
  ...sounding('cough', ['person'], 'cough'),
  ...sounding('snoring', ['person'], 'snore'),
  ...sounding('applause', ['person'], 'applaud, clap'),
  ...sounding('cheering', ['person'], 'cheer'),
  words('Heard', 'do you hear, can you hear, did you hear, can we hear, do we hear, did we hear, can i hear'),
  words('Picture', [...FRAME, ...VIDEO].join(', ')),
  words(
    'Occasion',
    'moment, moments, times, part, parts, scene, scenes, clip, clips, shots, frames, instance, instances',
  ),
  words(
    'Occasion',
    'event, events, occasion, occasions, every time, each time, footage, video, videos, segments, case, cases',
  ),
];
