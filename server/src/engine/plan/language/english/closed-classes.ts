import type { Surface } from '../../meaning/types.ts';
import { REASONS, REMOVED } from '../../reasons.ts';
import type { Action } from '../../schema.ts';
import type { Choice, SoundName } from '../../terms.ts';
import { CALENDAR_WORDS } from './calendar-words.ts';
import type { Category, SeparableSense } from './categories.ts';
import { CHANGE_WORDS } from './change-words.ts';
import { type ClosedClass, inflected, words } from './closed-class.ts';
import { COMPARATIVE_WORDS } from './comparative-words.ts';
import { type VerbForm, verbForms } from './morphology.ts';
import { QUOTED_WORDS } from './quoted-words.ts';
import { RECORDING_WORDS } from './recording-words.ts';
import { REQUEST_WORDS } from './request-words.ts';
import { TRAFFIC_LIGHT_WORDS } from './traffic-light-words.ts';

/** Words that each have their form. */
const forms = (category: Category, table: Readonly<Partial<Record<VerbForm, string>>>): ClosedClass[] =>
  Object.entries(table).map(([form, phrases]) => words(category, phrases, { form }));
/** Verbs for a sound, with the classes of objects that make it; without any, "it" does. */
const sounding = (sound: SoundName, makers: readonly string[], verbs: string): ClosedClass[] =>
  inflected('SoundVerb', verbs).map(({ features, ...each }) => ({
    ...each,
    features: { ...features, sense: { type: 'sound', sound, makers } },
  }));
const LEFT: SeparableSense = { action: 'left_behind' };
const TAKEN: SeparableSense = { action: 'taken_away' };
const COMES_WITH: SeparableSense = { action: 'enters', relation: 'with' };
const LEAVES_WITH: SeparableSense = { action: 'leaves', relation: 'with' };
/** Verbs that a particle behind their object completes, with what they mean then. */
const separable = (verbs: string, particles: Readonly<Record<string, SeparableSense>>): ClosedClass[] =>
  inflected('Separable', verbs).map(({ features, ...each }) => ({ ...each, features: { ...features, particles } }));
/** Nouns for an action: "arrival". */
const eventNouns = (action: Action, nouns: string): ClosedClass[] => [
  words('Deed', nouns, { sense: { type: 'action', action } }),
];
const superlatives = (pick: Choice, phrases: string): ClosedClass[] => [
  words('Superlative', phrases, { sense: { type: 'pick', pick } }),
];
const inside = (phrases: string, surface: Surface) => words('In', phrases, { surface });

const SHOT = { type: 'signal', signal: 'shot' } as const;
const RECOGNIZED = { type: 'sound', sound: 'recognized' } as const;
const ANY_OBJECT = { type: 'noun', classes: [] } as const;
/** Classes of objects that take part in traffic. */
const ROAD_USERS = ['person', 'bicycle', 'car', 'motorcycle', 'bus', 'truck'];

const VIDEO = ['video', 'clip', 'footage', 'recording', 'film', 'movie', 'vid'];
const FRAME = ['frame', 'picture', 'image', 'view', 'scene', 'shot', 'screen'];
const inVideo = [
  ...VIDEO.flatMap((noun) => ['in the', 'in this', 'during the', 'on'].map((at) => `${at} ${noun}`)),
  ...FRAME.flatMap((noun) => ['in the', 'in', 'on the', 'on'].map((at) => `${at} ${noun}`)),
].join(', ');

const WHOLE = ['whole', 'entire', 'full', 'complete', 'course of the'];

const WE = ['i', 'we'];
const WATCHERS = ['you', 'we', 'i'];
const combine = (...parts: readonly (readonly string[])[]): string =>
  parts.reduce((before, next) => before.flatMap((a) => next.map((b) => `${a} ${b}`.trim()))).join(', ');
const BE = ['am', 'are'];
/** "I would like to", before a verb. */
const wishes = [
  combine(WE, ['want to', 'need to', 'have to', 'would like to', 'would love to', 'want you to', 'would like you to']),
  combine(WE, BE, ['trying to']),
].join(', ');
/** "I would like", before what is wanted. */
const wanted = [
  combine(WE, ['want', 'need', 'would like', 'would love']),
  combine(WE, BE, ['looking for', 'searching for', 'interested in', 'after']),
].join(', ');
/** "Can you see". */
const perceived = (verb: string) => combine(['do', 'did', 'can', 'could'], WATCHERS, [verb]);
/** "You can see". */
const perceives = (verb: string) => combine([...WATCHERS, 'one'], [verb, `can ${verb}`, `could ${verb}`]);

/** The closed classes of English. */
export const CLOSED_CLASSES: readonly ClosedClass[] = [
  ...CALENDAR_WORDS,
  ...RECORDING_WORDS,
  ...REQUEST_WORDS,
  ...QUOTED_WORDS,
  ...TRAFFIC_LIGHT_WORDS,
  ...COMPARATIVE_WORDS,
  ...CHANGE_WORDS,
  words('Determiner', 'the, this, that, these, those', { type: 'definite' }),
  words('Determiner', 'all the, all of the, all these, all those, each of the', { type: 'definite', whole: 'all' }),
  words('Determiner', 'some of the, any of the, one of the', { type: 'definite' }),
  words('Determiner', 'a, an', { type: 'indefinite' }),
  words('Determiner', 'some', { type: 'indefinite' }),
  words('Determiner', 'all', { type: 'indefinite', whole: 'all' }),
  words('Determiner', 'every, each, every single, each and every', { type: 'each', whole: 'all' }),
  words('Determiner', 'any', { type: 'any' }),
  words('Determiner', 'another', { type: 'indefinite' }),
  words('Other', 'the other, other, the next, next, any other, some other, all other, all the other', {
    type: 'other',
  }),
  words('Possessive', 'his, her, their, its, my, our, your'),
  words('Genitive', "'s"),
  words('No', 'no, not a, not any, not a single, not one, zero'),
  words('Not', 'not, never, no longer'),
  words('Without', 'without, without any, without a, w/o, w/out'),
  ...forms('Be', { present: 'is, are, am, r', past: 'was, were', base: 'be', ing: 'being', participle: 'been' }),
  words('BeNot', "isn't, aren't, wasn't, weren't"),
  words('IsNot', "isn't, aren't, wasn't, weren't"),
  words('DoesNot', "don't, doesn't, didn't"),
  ...forms('Get', { present: 'gets', past: 'got', base: 'get', ing: 'getting', participle: 'gotten' }),
  words('Do', 'do, does, did, will'),
  words('DoNot', "don't, doesn't, didn't, won't"),
  ...forms('Have', { present: 'has, have', past: 'had', base: 'have', ing: 'having' }),
  words('HaveNot', "hasn't, haven't, hadn't"),
  words('Can', 'can, could'),
  words('CanNot', "can't, cannot"),
  words('There', 'there'),
  words('Here', 'here, there'),
  words('State', 'fixed, static', { sense: { type: 'state', state: 'stationary' } }),
  words('Who', 'who, that, which'),
  words('Pronoun', 'he, she, him', { person: true }),
  words('Pronoun', 'it', { person: false }),
  words('Pronoun', 'they, them', { person: false, plural: true }),
  words('Expletive', 'it'),
  words('One', 'one, ones'),
  ...inflected('Return', 'return, come back, get back, go back in, come back in, walk back in'),
  ...inflected('Come', 'come'),
  words('Again', 'again, once more, another time, one more time, a second time, for a second time, yet again'),
  words('Else', 'else'),
  words(
    'Alone',
    'alone, all alone, by itself, by himself, by herself, on its own, on his own, on her own, the only one, the only one there, the only person, the only person there',
  ),
  ...separable('leave', { behind: LEFT, unattended: LEFT, alone: LEFT }),
  ...separable('take, carry', {
    away: TAKEN,
    off: TAKEN,
    in: COMES_WITH,
    inside: COMES_WITH,
    out: LEAVES_WITH,
    outside: LEAVES_WITH,
  }),
  ...separable('bring', { in: COMES_WITH, inside: COMES_WITH, out: LEAVES_WITH, outside: LEAVES_WITH }),
  words('Particle', 'behind, unattended, alone, away, off, in, inside, out, outside'),
  ...verbForms('take').map(({ phrase, form }) =>
    words('Action', phrase, { form, sense: { type: 'action', action: 'taken_away', caveat: REMOVED, decides: true } }),
  ),
  words('Whoever', 'who, whoever', {
    number: null,
    sense: { type: 'noun', classes: ['person'], caveat: REASONS.whoIs },
  }),
  words('Unmanned', 'unattended, unmanned, unstaffed', {
    number: null,
    sense: { type: 'noun', classes: ['person'], negated: true },
  }),
  words('Crowded', 'crowded, overcrowded, packed, packed with people, full of people', {
    number: 'many',
    sense: { type: 'noun', classes: ['person'], min: 5 },
  }),
  words('Crowded', 'busy, very busy, lively', {
    number: 'many',
    sense: { type: 'noun', classes: ['person', 'car', 'bus', 'truck'], min: 5, caveat: REASONS.busy },
  }),
  words('FreeOf', 'clear of, free of, empty of, devoid of'),
  words('Degree', 'fully, completely, entirely, partly, partially'),
  words('Audible', 'can be heard, could be heard, is heard, is audible, audible, to be heard'),
  words('OrNot', 'or not, or no, or nah'),
  words('OnIt', 'on it, in it, on them, in them, on top'),
  words('Different', 'different'),
  words('Distinct', 'distinct, unique, separate, individual'),
  words('UnseenAdjective', 'same, original, identical, previous, different', { reason: REASONS.apart, isKnown: true }),
  words('UnseenAdjective', 'almost, nearly', { reason: REASONS.notMeasured, isKnown: true }),
  words('OfThem', 'of them', {
    number: 'many',
    sense: { type: 'noun', classes: ['person'], caveat: REASONS.namesNothing },
  }),
  words('OtherNoun', 'cycle', { number: 'one', sense: { type: 'noun', classes: ['bicycle'] } }),
  words('OtherNoun', 'cycles', { number: 'many', sense: { type: 'noun', classes: ['bicycle'] } }),
  words('SignalState', 'covered, blocked, obstructed, occluded, obscured, tampered with, covered up', {
    sense: { type: 'signal', signal: 'covered' },
  }),
  words('Signal', 'in black and white, black and white', { sense: { type: 'signal', signal: 'monochrome' } }),
  words('Setting', 'exit, grass, water, sea, sky, playground, background, foreground', {
    number: 'one',
    sense: { type: 'setting', noun: true },
  }),
  words('Setting', 'place, area, spot, site', { number: 'one', sense: { type: 'setting', noun: true } }),
  words('SettingAdverb', 'inside, from behind, behind', { sense: { type: 'setting' } }),
  words('PlacePart', combine(['', 'far', 'other', 'near', 'opposite', 'very'], ['side', 'end', 'edge', 'corner'])),
  words(
    'PlacePart',
    'sides, ends, edges, corners, back, front, middle, centre, center, top, bottom, foot, rear, start',
  ),
  words(
    'PlacePart',
    'both sides, left side, right side, left hand side, right hand side, inside, outside, base, mouth, roof, hood, bonnet, trunk',
  ),
  words('Emphasis', 'absolutely, completely, totally, literally, fully, entirely, truly, actually, definitely, really'),
  words('Intensity', 'really, very, pretty, quite, so, super, extremely, fairly, rather, way too'),
  words('Early', 'early on, early', { window: 'first' }),
  words('Early', 'late', { window: 'last' }),
  words('OnFrom', 'onwards, onward, on, forward, and on, and onwards'),
  words('PartOfVideo', 'part, portion, bit, section, segment'),
  words(
    'AllOver',
    combine(['over', 'in', 'during', 'across', 'through'], ['the', 'this'], WHOLE, [...VIDEO, 'time', 'thing']),
  ),
  words(
    'AllOver',
    combine(['over', 'during'], ['the', 'this'], WHOLE, ['trip', 'drive', 'ride', 'journey', 'shift', 'flight']),
  ),
  words('State', 'in motion', { sense: { type: 'state', state: 'moving' } }),
  words('OrdinalSuffix', 'st, nd, rd, th'),
  ...(['second', 'third', 'fourth', 'fifth'] as const).map((pick) =>
    words('Ordinal', pick, { sense: { type: 'pick', pick } }),
  ),
  words('And', 'and, plus, as well as, and also, &, +'),
  words('Or', 'or, /, vs, versus, and or'),
  words('But', 'but, yet, although, though'),
  words('Comma', ','),
  words('Stop', '., ;, !, \n'),
  words('QuestionMark', '?'),
  words('Neither', 'neither'),
  words('Nor', 'nor, or'),
  words('Then', 'then, and then, after that, afterwards, afterward, subsequently, thereafter, and later'),
  words('Then', 'and after that, after which, and finally, finally, next, →, followed by, before'),
  words(
    'After',
    'the moment, the moment that, the instant, the instant that, the second that, right when, just when, directly after, straight after, soon after, just after',
  ),
  words('After', 'after, once, as soon as, right after, immediately after, shortly after'),
  words('Before', 'before, right before, just before, shortly before, prior to'),
  words('While', 'and at the same time, and simultaneously, and meanwhile, and in the meantime'),
  words('While', 'while, whilst, when, whenever, at the same time as, as'),
  words('Until', 'until, till, up until, up till'),
  words(
    'Within',
    'within, within the next, in the next, during the next, over the next, in the following, within the following',
  ),
  words('Later', 'later'),
  words(
    'AfterThat',
    'after that, of that, after it, of it, afterwards, afterward, thereafter, of each other, after this',
  ),
  words('FollowedIn', 'followed'),
  words('Between', 'between, in between'),
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
  words('Over', 'over, via'),
  words('Towards', 'towards, toward, in the direction of'),
  words('Wearing', 'in, dressed in, clad in', { form: null }),
  words('Wearing', 'wearing', { form: 'ing' }),
  words('Wearing', 'wears, wore', { form: 'present' }),
  words('Wearing', 'wear', { form: 'base' }),
  words('AtOnce', 'at the same time, simultaneously, at once, at a time, in the same frame, in the same picture'),
  words(
    'AtOnce',
    'at one time, at the same moment, at the same instant, at one moment, in one frame, in a single frame',
  ),
  words('AtOnce', 'concurrently, in any one frame, in any single frame, at any given time, at any given moment'),
  words('Reciprocal', 'together', { sense: { type: 'reciprocal', relation: 'near' } }),
  words('OrMore', 'or more, or longer, and more, or above, or over, or faster'),
  words('OrLess', 'or fewer, or less, or shorter, or below, or under, or slower'),
  words('Dash', '-'),
  ...inflected('Begin', 'begin to, start to'),
  words('Begin', 'had to', { form: 'past' }),
  ...inflected('BeginDoing', 'begin, start, keep, keep on, continue, go on, carry on'),
  ...inflected('Begin', 'continue to'),
  words('Polite', 'please, pls, plz, thanks, thank you, hi, hey, hello, kindly, for me, can you, could you, would you'),
  words(
    'Occasion',
    'point, points, instant, occurrence, occurrences, section, sections, situation, situations, example',
  ),
  words('Occasion', 'examples, bit, bits, exact moment, exact point, exact time, a time, the time, any time, anytime'),
  words('Polite', 'will you, can we, could we, are you able to, is it possible to, would it be possible to'),
  words('Polite', 'any chance you can, any chance you could, is there a way to, is there any way to'),
  words('Wish', wishes),
  words('Wish', 'help me, help us, let us, let me, go ahead and, try to, wanna, id like to, id love to'),
  words('Command', 'find, find all, find every, show, search for, search, look for, looking for, searching for, list', {
    opening: 'search',
  }),
  words('Command', 'give me, give us, get me, list all, detect, watch for, spot, locate, see, monitor, watch', {
    opening: 'search',
  }),
  words('Command', 'identify, highlight, point out, pick out, pull up, look out for, watch out for, interested in', {
    opening: 'search',
  }),
  words(
    'Command',
    'alert, notify, warn, let me know, let us know, jump to, skip to, go to, take me to, scan for, make sure, ensure',
    {
      opening: 'search',
    },
  ),
  words('Command', 'id like, look through, scan through, go through', { opening: 'search' }),
  words('Command', combine(['report', 'log', 'mark', 'flag'], ['when', 'whenever', 'if', 'every time', 'each time']), {
    opening: 'search',
  }),
  words('Command', combine(['display', 'return', 'get', 'extract'], ['all', 'all the', 'the', 'every', 'any']), {
    opening: 'search',
  }),
  words('Command', wanted, { opening: 'search' }),
  words('Command', 'tell, say, know, check, check for, find out, figure out, work out, determine, confirm, verify', {
    opening: 'ask',
  }),
  words('Command', 'see if, see whether, wondering, i wonder, i am wondering, i am curious, do you know, do we know', {
    opening: 'ask',
  }),
  words('Command', 'is it true, is it the case, any idea, calculate, compute, did you notice if, did you see if', {
    opening: 'ask',
  }),
  words('Recipient', 'me, us'),
  words('Seen', `${perceived('see')}, ${perceived('spot')}, have you seen, do you notice, did you notice`),
  words('Heard', perceived('hear')),
  words('BeSeen', 'be seen, be visible, be spotted, be found, be made out'),
  words('BeHeard', 'be heard'),
  words('Sees', perceives('see')),
  words('Hears', perceives('hear')),
  words('SeenByUs', 'do we have, did we have, have we got, do we meet, did we meet, do i meet, did i meet'),
  words('SeenByUs', 'do we encounter, did we encounter, do we come across, did we come across'),
  ...inflected('Exceed', 'exceed, surpass'),
  ...inflected('ChannelGo', 'go, drop, fall, rise, get, climb, dip, sink, go down, go up, drop down'),
  words('Make', 'make, made, take, took, do, did, have, had'),
  words('Compare', 'harder than, stronger than', { sense: { type: 'compare', compare: 'above' } }),
  words('Only', 'only'),
  words('InVideo', inVideo),
  words(
    'InVideo',
    'on the audio, in the audio, on the soundtrack, in the soundtrack, since the start, since the beginning, on camera, on video, at some point, at any point, at one point, at any point in time, at some point in time, at any time, at any moment, at some moment, at any stage, in total, overall, at all, anywhere',
  ),
  words(
    'InVideo',
    'during this, in this, in this one, in here, on here, over all of it, of the day, of the trip, of the drive, of the ride, of the journey, during the trip, during the drive, during the ride, on the trip, going on',
  ),
  words('InVideo', 'ever, right now, now, currently, at the moment, rn'),
  words('Adverb', 'later on, later in the video, later in the clip'),
  words(
    'Adverb',
    'later, afterwards, still, just, also, actually, really, even, currently, ever, after that, after this',
  ),
  words('Adverb', 'anymore, any more, any longer, in either direction, in any direction'),
  words('Adverb', 'either way, both ways'),
  words('If', 'if, whether, when, whenever, where, in which, at which, during which, that'),
  words('What', 'what'),
  words('Which', 'which, what'),
  words('Camera', 'i, me', { sense: { type: 'camera', carrier: true } }),
  words('WhatHappens', 'what you see, what you can see, what we see, everything you see, all you see'),
  words('Watch', 'watch, show, show me, play, analyze, analyse, review, process, look at, go through'),
  words('Around', 'about, around, approximately, roughly, approx, circa'),
  words(
    'WhatHappens',
    'what is going on here, what was going on here, what goes on here, what is happening here, what happens here, what happened here, what is happening in here',
  ),
  words('WhatHappens', 'does anything happen, did anything happen, summarize this video, anything happening'),
  words('Turn', 'time'),
  words('MoveNoun', 'turn', { sense: { type: 'camera_move', move: 'turns', direction: null } }),
  words('Edge', 'the start, start, the beginning, beginning', { window: 'first' }),
  words('Edge', 'the end, end', { window: 'last' }),
  words('Total', 'total, total time of, total amount of, total length of, total duration of, overall'),
  words('Duration', 'time, amount of time, total time, total amount of time, time spent, total time spent', {
    sense: { type: 'question', question: 'how_long' },
  }),
  words('Questioned', 'duration of, durations of, length of, lengths of', {
    sense: { type: 'question', question: 'how_long' },
  }),
  words(
    'Occasion',
    'places, periods, intervals, stretches, spans, phases, time spans, time ranges, sequences, passages, point in time, points in time',
  ),
  words('Stretch', 'time, period, period of time, time period, stretch, interval, time span, spell'),
  words('Stretch', 'times, periods, periods of time, time periods, stretches, intervals, spells, phase, phases'),
  words('Stretch', 'appearance, appearances, visit, visits, stay, stays, scene, scenes, dwell time, dwell times'),
  words('State', 'idle, at rest, motionless', { sense: { type: 'state', state: 'stationary' } }),
  words('Tally', 'count, counts'),
  words('Top', 'top'),
  words('ShotNoun', 'shot, scene, camera shot', { number: 'one', sense: SHOT }),
  words('ShotNoun', 'shots, scenes, camera shots', { number: 'many', sense: SHOT }),
  words('LengthNoun', 'length, lengths, durations'),
  words('Cease', 'ends, ended, ceases, ceased, is over, was over, dies down, died down, has ended, has stopped'),
  words('AroundEvent', 'on each side of, on either side of, either side of, before and after'),
  words('GroupNoun', combine(['', 'vehicle', 'object', 'detector'], ['class', 'type', 'kind', 'category']), {
    by: 'kind',
  }),
  words('GroupNoun', 'classes, types, kinds, categories', { by: 'kind' }),
  words('GroupNoun', 'color, colour, colors, colours', { by: 'color' }),
  words('Breakdown', 'breakdown of, split of, mix of, distribution of, composition of, a breakdown of, break down'),
  words('RoadMix', 'modal split, traffic mix, traffic composition, modal share, mode split', {
    number: 'many',
    sense: { type: 'noun', classes: ROAD_USERS },
  }),
  words('MostBy', 'most often, the most often, most frequently, most common, the most common, most frequent', {
    measure: 'count',
  }),
  words('MostBy', 'the most frequent, most numerous, the most frequently', { measure: 'count' }),
  words('MostBy', 'for the longest, for the longest time, for longest, for the longest total time', {
    measure: 'length',
  }),
  words('MostBy', 'the longest in total, the longest overall', { measure: 'length' }),
  words('SoundKind', 'kind of sound, type of sound, kinds of sound, kinds of sounds, types of sound', {
    sense: RECOGNIZED,
  }),
  words('ThingKind', 'object class, object type, class, class of object, kind of object', {
    number: 'one',
    sense: ANY_OBJECT,
  }),
  words('ThingKind', 'object classes, object types, classes, kinds of objects, kinds of object', {
    number: 'many',
    sense: ANY_OBJECT,
  }),
  words('WhatKind', 'kind of, type of, sort of, class of, kinds of, types of'),
  words('IsHeard', 'is heard, was heard, are heard, can be heard, do we hear, do you hear'),
  words('Among', 'among, amongst, among all, amongst all'),
  words(
    'Bin',
    'bin, bins, bucket, buckets, interval, intervals, window, windows, chunk, chunks, slot, slots, block, blocks',
  ),
  words('Sorted', 'rank, ranked, ranking of, ranking, sort, sorted, order, ordered'),
  words(
    'RankNoun',
    'duration, length, time, dwell time, dwell, time in view, time in frame, screen time, how long they are in view, how long they are visible, how long they stay, how long they last',
    { sense: { type: 'pick', pick: 'longest' } },
  ),
  ...superlatives('largest', 'largest, biggest'),
  ...superlatives('smallest', 'smallest, tiniest, littlest'),
  ...superlatives('fastest', 'fastest, quickest, speediest, at the highest speed'),
  ...superlatives('slowest', 'slowest, at the lowest speed'),
  ...superlatives('leftmost', 'leftmost, left most, furthest left, farthest left'),
  ...superlatives('rightmost', 'rightmost, right most, furthest right, farthest right'),
  ...(['left', 'right'] as const).flatMap((side) => [
    words(
      'FromSide',
      `from the ${side}, from ${side}, counting from the ${side}, counted from the ${side}, starting from the ${side}, starting on the ${side}, starting at the ${side}, beginning from the ${side}, beginning on the ${side}`,
      {
        sense: { type: 'pick', pick: `${side}most` },
      },
    ),
    words('Outermost', `on the far ${side}, at the far ${side}, furthest ${side}, furthest to the ${side}`, {
      sense: { type: 'pick', pick: `${side}most` },
    }),
    words('Outermost', `farthest ${side}, farthest to the ${side}, all the way to the ${side}, most to the ${side}`, {
      sense: { type: 'pick', pick: `${side}most` },
    }),
  ]),
  words('RankNoun', 'size, size in the picture', { sense: { type: 'pick', pick: 'largest' } }),
  words('Occupancy', 'occupancy, headcount, head count, crowd size'),
  ...eventNouns('appears', 'appearance, appearances, arrival, arrivals'),
  ...eventNouns('leaves', 'departure, departures'),
  ...eventNouns('disappears', 'disappearance, disappearances'),
  ...eventNouns('falls', 'fall'),
  ...eventNouns('enters', 'entry, entrance'),
  ...eventNouns('moves', 'movement, movements, motion, travel'),
  words(
    'Moment',
    'time, exact time, moment, exact moment, point in time, point, time stamp, timestamp, timecode, time code',
  ),
  words('Way', 'direction, direction of travel, direction of movement, direction of motion, travel direction, heading'),
  words('Way', 'direction of travelling, direction of traveling, moving direction, movement direction'),
  words('InAll', 'total, in total, altogether, in all, overall'),
  words(
    'Showing',
    'showing, featuring, containing, depicting, including, that show, that shows, that contain, that have',
  ),
  words('Shows', 'shows, show, showed, contains, contain, features, includes'),
  words(
    'Questioned',
    'at what point, at which point, at what moment, at which moment, at what point in time, in which parts',
    {
      sense: { type: 'question', question: 'when' },
    },
  ),
  words(
    'Questioned',
    'until when, till when, up to when, since when, from when, from when to when, from when until when',
    {
      sense: { type: 'question', question: 'when' },
    },
  ),
  words('Questioned', 'at what second, at which second, at what minute, at which minute, how far into the video', {
    sense: { type: 'question', question: 'when' },
  }),
  words('Questioned', 'at what timestamp, at which timestamp, at what timecode, how far in, how far into the clip', {
    sense: { type: 'question', question: 'when' },
  }),
  words('Questioned', 'count how many', { sense: { type: 'question', question: 'count' } }),
  words('Questioned', 'count of, counts of, a count of, total count of', {
    sense: { type: 'question', question: 'count' },
  }),
  words(
    'Questioned',
    combine(
      ['how much time', 'how many seconds', 'how many minutes'],
      ['is', 'was', 'are', 'were', 'is there', 'was there', 'are there', 'were there', 'lies', 'lie'],
      ['between'],
    ),
    { sense: { type: 'question', question: 'time_between' } },
  ),
  words(
    'Questioned',
    combine(
      ['how long'],
      [
        'was it',
        'is the time',
        'is the gap',
        'is the pause',
        'is the interval',
        'is the break',
        'was the gap',
        'was the pause',
      ],
      ['between'],
    ),
    { sense: { type: 'question', question: 'time_between' } },
  ),
  words('Questioned', 'how long was it from', {
    sense: { type: 'question', question: 'time_between' },
  }),
  words(
    'Questioned',
    'how many seconds pass between, how many minutes pass between, how much time goes by between, time passing between',
    { sense: { type: 'question', question: 'time_between' } },
  ),
  words(
    'Met',
    'we meet, we met, we see, we saw, i see, i saw, you see, you can see, we pass, we encounter, we come across',
  ),
  words('Minus', 'minus'),
  words('DifferenceOf', 'difference between, the difference between, what is the difference between, difference of'),
  words('Slightly', 'slightly, a bit, a little, a little bit, somewhat, at all, any, even'),
  words('More', 'more', { compare: 'more' }),
  words('More', 'fewer, less', { compare: 'less' }),
  ...inflected('Grow', 'get, become, grow'),
  words('Busier', 'busier, busiest, more crowded, most crowded, heavier, denser, fuller', { compare: 'more' }),
  words('Busier', 'quieter, less busy, emptier, lighter, thinner, less crowded', { compare: 'less' }),
  words('InIt', 'in it, in them'),
  words(
    'Uncut',
    combine(
      ['one', 'a', 'one long', 'all one', 'a single', 'one single'],
      ['continuous shot', 'shot', 'take', 'continuous take'],
    ),
  ),
  words('Uncut', 'uncut, unedited, without cuts, without any cuts'),
  words('InThere', 'in it, in there'),
  words(
    'WhatHeard',
    'what do you hear, what can you hear, what did you hear, what do we hear, what can be heard, what is heard',
  ),
  words('Longer', 'longer, for longer', { compare: 'more' }),
  words('Longer', 'shorter, less long', { compare: 'less' }),
  ...inflected('Occur', 'happen, occur, take place'),
  words('Usual', 'common, frequent, often, frequently, numerous'),
  words('Outnumber', 'outnumber'),
  words('Higher', 'higher, greater, faster', { compare: 'more' }),
  words('Higher', 'lower, slower', { compare: 'less' }),
  words(
    'Encountered',
    'encountered, met, that we met, that we saw, that we see, that you see, in sight, that came through, that came by',
  ),
  words('Than', 'than, compared to, compared with'),
  words('Same', 'the same number of, same number of, as many, an equal number of, equally many'),
  words('As', 'as'),
  words('Twice', 'once', { times: 1 }),
  words('Twice', 'twice', { times: 2 }),
  words('Twice', 'thrice', { times: 3 }),
  words('TimesWord', 'times'),
  words('HalfOf', 'half'),
  words('Fewest', 'fewest, the fewest, least, the least'),
  words('LeastBusy', 'least busy, least crowded, emptiest'),
  words('AsLong', 'as long, for as long'),
  words('Mostly', 'for the most part'),
  words('MostOf', 'most of, the most part of, the majority of, the better part of, a majority of'),
  words('Extreme', 'fastest, the fastest', { statistic: 'highest' }),
  words('Extreme', 'slowest, the slowest', { statistic: 'lowest' }),
  words('HowSoon', 'how soon, how quickly', { sense: { type: 'question', question: 'how_long' } }),
  ...inflected('StartOf', 'start, begin, set in, kick in, come on'),
  ...inflected('EndOf', 'stop, end, cease, finish, die down, fade out'),
  words('GoesBy', 'passes, passed, pass, goes by, go by, went by, elapses, elapsed, elapse'),
  words('Halfway', 'halfway through, halfway, midway through, half way through, at the midpoint, at the halfway point'),
  words('Halfway', 'at the halfway mark, half way in, halfway in'),
  words('Middle', 'the middle, middle'),
  words('Mark', 'mark'),
  words(
    'Except',
    'except, except for, excluding, apart from, aside from, other than, but not, besides, not counting, not including, with the exception of, rather than',
  ),
  words(
    'ShareWord',
    'how much, how many percent, what percentage, what percent, what share, what fraction, what proportion, what portion, what part, which percentage, percentage, percent, share, fraction, proportion, portion',
  ),
  words(
    'Span',
    'time, trip, drive, ride, journey, route, tour, shift, recording, whole thing, whole time, whole video, run, day, night, hour, session, drive time, flight, walk, game, frames',
  ),
  words('InPercent', 'in percent, in %, as a percentage, in percentage, as percentage'),
  words('Average', 'on average, in average, typical, usually, on the average, typically'),
  words(
    'AtMost',
    'at most, at the most, up to, at the busiest moment, at the busiest time, at the peak, at peak, at its busiest, at any one time, at any one moment, max, maximum',
  ),
  words('Statistic', 'average, mean, avg', { statistic: 'mean' }),
  words('Statistic', 'highest, maximum, max, top, peak, greatest, largest, biggest', { statistic: 'highest' }),
  words('Statistic', 'lowest, minimum, min, smallest', { statistic: 'lowest' }),
  words('HowFast', 'how fast, at what speed, at which speed', { sense: { type: 'quantity', quantity: 'speed' } }),
  words('EventWord', 'event, events, incident, incidents, instances, episodes, occurrences, situations, moments'),
  words('HowLoud', 'how loud', { sense: { type: 'quantity', quantity: 'loudness' } }),
  words('Louder', 'louder, noisier', { compare: 'more' }),
  words('Louder', 'quieter, softer, less loud, less noisy', { compare: 'less' }),
  words('Loudest', 'loudest, noisiest', { statistic: 'highest' }),
  words('Loudest', 'quietest', { statistic: 'lowest' }),
  words('Fraction', 'half', { share: 1 / 2 }),
  words('Fraction', 'third', { share: 1 / 3 }),
  words('Fraction', 'quarter', { share: 1 / 4 }),
  words(
    'Confirm',
    "right, correct, yes, ok, isn't it, is that right, is that correct, true, no, innit, am i right, aren't i right, is it not, don't you think, huh, eh",
  ),
  ...sounding('rain', [], 'rain'),
  ...sounding('thunder', [], 'thunder'),
  ...sounding('dog_bark', ['dog'], 'bark, howl, growl'),
  ...sounding('cat_meow', ['cat'], 'meow'),
  ...sounding('birds', ['bird'], 'chirp, tweet'),
  ...sounding('car_horn', ['car', 'truck', 'bus', 'motorcycle', 'person'], 'honk'),
  ...sounding('speech', ['person'], 'talk, speak, chat, say something, say anything'),
  ...sounding('scream', ['person'], 'scream, shriek'),
  ...sounding('laughter', ['person'], 'laugh, giggle'),
  ...sounding('sneeze', ['person'], 'sneeze'),
  ...sounding('cough', ['person'], 'cough'),
  ...sounding('snoring', ['person'], 'snore'),
  ...sounding('applause', ['person'], 'applaud, clap'),
  ...sounding('cheering', ['person'], 'cheer'),
  words('Both', 'both'),
  words('Either', 'either'),
  words('During', 'during'),
  words(
    'AnswerUnit',
    'sentence, sentences, word, words, line, lines, bullets, bullet points, points, paragraph, paragraphs',
  ),
  words('WithThem', 'with them, with him, with her, on them, on him, on her'),
  ...(
    [
      ['any', 'any of, any one of, either of'],
      ['some', 'some of, at least one of, a few of'],
      ['one', 'one of'],
      ['none', 'none of, neither of, not one of, not any of, no one of'],
      ['both', 'both of, both'],
      ['all', 'all of, each of, every one of, each one of'],
      ['most', 'most of, the majority of, a majority of, more than half of'],
    ] as const
  ).map(([of, phrases]) => words('PartOf', phrases, { of })),
  words(
    'TimesNoun',
    'timestamp, timestamps, time stamps, timecodes, times, start times, start time, start and end times, start and end, starts and ends, the moments, moments, exact times, times of day, time, time ranges, intervals, time codes',
  ),
  words(
    'AnswerForm',
    'which frames, what frames, which timestamps, what timestamps, what times, at which times, at what times, and at what time',
    {
      asks: 'when',
    },
  ),
  words(
    'AnswerForm',
    'just tell me when, tell me when, which and when, who and when, what and when, where and when, when and where, tell me which, tell me which and when, show me when, find when, when exactly, exactly when, when did it happen, if so when, and if so when, if yes when',
    {
      asks: 'when',
    },
  ),
  words('AnswerForm', 'how long, for how long, how many seconds, how many minutes, how long in total', {
    asks: 'how_long',
  }),
  words('AnswerForm', 'how many, how many in total, how many of them', { asks: 'count' }),
  words('AnswerForm', 'in order, in chronological order, chronologically, sorted by time, one by one', { asks: null }),
  words(
    'Another',
    'another, another one, a second one, a different one, a new one, the next one, the other one, the other',
  ),
  words('This', 'this, that'),
  words('Command', 'alert me to, alert us to, notify me of, notify me about, warn me about, warn me of', {
    opening: 'search',
  }),
  words('IfSo', 'and if so, if so, and if yes, if yes, and if they did, and if he did, and if it did'),
  words('Sees', 'i saw, we saw, i noticed, we noticed, i spotted, i think i saw, i thought i saw, we think we saw'),
  words('Hears', 'i heard, we heard, i think i heard, i thought i heard, we think we heard'),
  words('Them', 'them, these, those, the ones'),
  words('OneOfThem', 'one of them, one of these, one of which'),
  words('First', 'first, firstly, at first'),
  words('All', 'all'),
  words('BeforeThat', 'before that, before then, before which'),
  words(
    'Picture',
    [...FRAME, ...VIDEO, 'dashcam footage', 'dashcam video', 'cctv footage', 'camera footage'].join(', '),
  ),
  words(
    'Occasion',
    'moment, moments, pictures, images, photos, times, part, parts, scene, scenes, clip, clips, shots, frames, instance, instances',
  ),
  words(
    'Occasion',
    'pictures, images, photos, timestamp, timestamps, timecodes, event, events, occasion, occasions, every time, each time, footage, video, videos, vid, vids, segments, case, cases',
  ),
];
