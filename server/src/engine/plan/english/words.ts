import type { Entry, Sense } from '../lexicon.ts';

const words = (group: Entry['group'], phrases: string, ...senses: Sense[]): Entry => ({
  phrases,
  inflection: 'none',
  senses,
  group,
});
const nouns = (group: Entry['group'], phrases: string, ...senses: Sense[]): Entry => ({
  phrases,
  inflection: 'noun',
  senses,
  group,
});
/** What a picture is called. */
export const PICTURES = ['picture', 'image', 'video', 'screen', 'frame', 'view', 'scene', 'footage'];
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
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const TENS = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  dozen: 12,
};

export const numbers: readonly Entry[] = [
  ...NUMBERS.split(' ').map((word, value) => words('counts', word, { type: 'number', value })),
  ...Object.entries(TENS).map(([word, value]) => words('counts', word, { type: 'number', value })),
];

export const counts: readonly Entry[] = [
  words(
    'counts',
    'a single, single, lone, lonely, only one, just one, exactly one, alone, by itself, by himself, by herself, on its own, only a single, one single',
    {
      type: 'count',
      min: 1,
      max: 1,
    },
  ),
  words('counts', 'a couple of, a pair of, pair of, multiple, more than one, at least two, both', {
    type: 'count',
    min: 2,
    max: null,
  }),
  words('counts', 'several, a few, few, a group of, group of, groups of, some of', {
    type: 'count',
    min: 3,
    max: null,
  }),
  words('counts', 'many, lots of, a lot of, numerous, crowd of, a crowd of, plenty of', {
    type: 'count',
    min: 5,
    max: null,
  }),
  words(
    'counts',
    'at least, no fewer than, no less than, minimum, minimum of, a minimum of, not fewer than, not less than',
    {
      type: 'compare',
      compare: 'min',
    },
  ),
  words('counts', 'at most, up to, no more than, maximum, maximum of, a maximum of, not more than, <=', {
    type: 'compare',
    compare: 'max',
  }),
  words(
    'counts',
    'more than, over, above, greater than, longer than, faster than, harder than, exceeding, exceeds, exceed, higher than, upwards of, stronger than, in excess of, rises above, goes above, gets above, larger than, quicker than, louder than, further than, farther than',
    { type: 'compare', compare: 'above' },
  ),
  words(
    'counts',
    'less than, fewer than, drops below, falls below, goes below, dips below, drop below, fall below, under, below, shorter than, slower than, lower than, weaker than, closer than, nearer than',
    {
      type: 'compare',
      compare: 'below',
    },
  ),
  words('counts', 'exactly, precisely, only, just', { type: 'compare', compare: 'exact' }),
  words('counts', 'or more, or longer, or faster, and more, or above, or over', {
    type: 'compare',
    compare: 'or_more',
  }),
  words('counts', 'or fewer, or less, or shorter, or slower, or below, or under', {
    type: 'compare',
    compare: 'or_less',
  }),
];

/** "on the left side of the picture" is a place; "on the left side of a car" is how two things stand. */
const inPicture = (side: string) =>
  PICTURES.flatMap((p) => [
    `${side} of ${p}`,
    `${side} side of ${p}`,
    `on ${side} of ${p}`,
    `on ${side} side of ${p}`,
  ]).join(', ');

export const places: readonly Entry[] = [
  words('places', `left, left hand, lefthand, ${inPicture('left')}`, { type: 'side', side: 'left' }),
  words('places', `right, right hand, righthand, ${inPicture('right')}`, { type: 'side', side: 'right' }),
  words('places', 'top, upper', { type: 'side', side: 'top' }),
  words('places', 'bottom, lower', { type: 'side', side: 'bottom' }),
  words('places', 'middle, centre, center, central', { type: 'side', side: 'middle' }),
  words('places', 'half, halves', { type: 'part', half: true }),
  words(
    'places',
    'side, edge, corner, third, part, border, quadrant, area, region, quarter, margin, end of the picture, hand side',
    { type: 'part', half: false },
  ),
  words('places', 'upwards, upward, upstairs', { type: 'direction', direction: 'up' }),
  words('places', 'downwards, downward, downstairs', { type: 'direction', direction: 'down' }),
  words('places', 'up', { type: 'direction', direction: 'up' }),
  words('places', 'down', { type: 'direction', direction: 'down' }),
  words('places', 'leftwards, leftward', { type: 'direction', direction: 'left' }),
  words('places', 'rightwards, rightward', { type: 'direction', direction: 'right' }),
  words('places', 'away, away from the camera, away from camera, away from us, off', {
    type: 'direction',
    direction: 'away',
  }),
  words(
    'places',
    'towards the camera, toward the camera, towards camera, toward camera, to the camera, towards us, toward us, towards the viewer, at the camera, closer, nearer, towards me',
    { type: 'direction', direction: 'towards' },
  ),
];

/** Places in the world: nothing here recognises them. */
export const settings: readonly Entry[] = [
  nouns(
    'other',
    'road, street, lane, highway, motorway, freeway, pavement, sidewalk, footpath, path, crosswalk, zebra crossing, crossing, level crossing, railway crossing, junction, intersection, crossroad, roundabout, bridge, tunnel, shoulder, hard shoulder, verge, kerb, curb, driveway, garage, parking lot, parking space, parking spot, parking area, parking bay, petrol station, gas station, bus stop, building, house, home, shop, store, supermarket, aisle, shop aisle, room, hall, office, warehouse, factory, corridor, hallway, lobby, kitchen, door, doorway, gate, entrance, front door, back door, window, wall, floor, ground, field, park, garden, yard, backyard, forest, beach, stair, staircase, stairway, elevator, lift, escalator, platform, station, train station, airport, zone, site, construction site, city, town, village, track, railway, ego lane, our lane, bike lane, bicycle lane, cycle lane, bus lane, opposite lane, oncoming lane, adjacent lane, next lane, runway, dock, pier, porch, ramp, counter, checkout, ceiling, lawn, pitch, court, stage, bank, school, hospital, restaurant, bar, cafe, shelf, rack, property, premises, perimeter, vicinity, turn lane, work zone, loading dock, space, way, workspace, work area, work cell, vault, cellar, basement, attic, balcony, terrace, square, market, mall, church, hotel, bathroom, bedroom, living room, table top, conveyor, fuel pump, barrier gate, pedestrian zone, lay by, slip road, carriageway, central reservation, median, gutter, roadside, forecourt, turnstile',
    { type: 'setting' },
  ),
  words(
    'other',
    'car park, exit, shelves, grass, water, sea, sky, indoors, outdoors, outside, inside the building, background, foreground, in the background, in the foreground, distance, in the distance, far away, ahead, opposite, behind the camera, around the corner, upstairs, downstairs, oncoming, nearby, close by, in traffic, in front, up ahead, close to the camera, near the camera, on foot, parked cars area, crosswalks, at pedestrian crossing, on pedestrian crossing, over pedestrian crossing, near pedestrian crossing, off the road',
    { type: 'setting' },
  ),
  nouns(
    'other',
    'jacket, shirt, coat, top, dress, sweater, jumper, hoodie, clothe, clothing, outfit, vest, t shirt, tshirt, trouser, pant, uniform, suit, skirt, blouse, garment, high vis vest, safety vest',
    { type: 'garment' },
  ),
];

export const relations: readonly Entry[] = [
  words(
    'relations',
    'near, near to, next to, beside, close to, by, alongside, adjacent to, around, nearby to, in the vicinity of, near the, close by to, against',
    { type: 'relation', relation: 'near' },
  ),
  words('relations', 'with, together with, along with, accompanied by, carrying, holding, having', {
    type: 'relation',
    relation: 'with',
  }),
  words('relations', 'overlapping, overlaps, overlap, touching, touches, riding, rides, ride, rode', {
    type: 'relation',
    relation: 'overlaps',
  }),
  words('relations', 'in front of, ahead of', { type: 'relation', relation: 'in_front_of' }),
  words('relations', 'behind, in back of', { type: 'relation', relation: 'behind' }),
  words('relations', 'left of, left side of, to left of, on left of, on left side of', {
    type: 'relation',
    relation: 'left_of',
  }),
  words('relations', 'right of, right side of, to right of, on right of, on right side of', {
    type: 'relation',
    relation: 'right_of',
  }),
  words('relations', 'above, over', { type: 'relation', relation: 'above' }),
  words('relations', 'below, under, underneath, beneath', { type: 'relation', relation: 'below' }),
  words('relations', 'on top of, onto', { type: 'relation', relation: 'on' }),
  words('relations', 'each other, one another', { type: 'reciprocal' }),
  words('relations', 'inside, inside of, within the', { type: 'relation', relation: 'inside' }),
];

export const joins: readonly Entry[] = [
  words(
    'sequences',
    'then, and then, after that, afterwards, afterward, followed by, next, later, subsequently, before that, subsequently, and after that, before then, thereafter, and later, and finally, finally',
    { type: 'join', join: 'then' },
  ),
  words('sequences', 'after, once, as soon as, right after, immediately after, shortly after, since, after which', {
    type: 'join',
    join: 'after',
  }),
  words('sequences', 'before, until, till, right before, just before, shortly before, prior to', {
    type: 'join',
    join: 'before',
  }),
  words(
    'sequences',
    'while, whilst, as, during, when, meanwhile, at the same time as, and at the same time, simultaneously with, and meanwhile, and simultaneously',
    { type: 'join', join: 'while' },
  ),
  words('sequences', 'and, plus, as well as, and also', { type: 'join', join: 'and' }),
  words('sequences', 'or, and or, nor', { type: 'join', join: 'or' }),
  words('sequences', 'but, yet, although, though', { type: 'join', join: 'but' }),
  words(
    'sequences',
    'together, simultaneously, at the same time, in the same frame, in the same picture, at once, side by side',
    {
      type: 'join',
      join: 'both',
    },
  ),
];

export const prepositions: readonly Entry[] = (
  [
    ['from', 'from'],
    ['to', 'to'],
    ['towards, toward, in the direction of', 'towards'],
    ['on', 'on'],
    ['in', 'in'],
    ['at', 'at'],
    ['into', 'into'],
    ['out of, out', 'out'],
    ['past', 'past'],
    ['across, through, along', 'across'],
    ['for, lasting, lasts, for longer than, lasting longer than, for over, for more than', 'for'],
    ['within', 'within'],
    ['between', 'between'],
    ['wearing, wears, wear, dressed in, clad in, wore', 'wearing'],
    ['of', 'of'],
  ] as const
).map(([phrases, preposition]) => words('other', phrases, { type: 'preposition', preposition }));

export const negations: readonly Entry[] = [
  words(
    'relations',
    "no, not, without, never, not any, isn't, aren't, doesn't, don't, didn't, does not, do not, did not, is not, are not, cannot, can't, absence of, lack of, no longer, neither, not a single, not one, wasn't, weren't, free of, clear of, empty of, devoid of, not a, without any, without a, absent, hasn't, haven't, won't, nor any, and no, or no",
    { type: 'negation' },
  ),
];

export const questions: readonly Entry[] = [
  words(
    'questions',
    'how many, what number of, number of, count, count the, count all, total number of, peak number of, highest number of, maximum number of, max number of, how many different',
    { type: 'question', question: 'count' },
  ),
  words('questions', 'how many times, how often, number of times, count how often, count how many times', {
    type: 'question',
    question: 'how_often',
  }),
  words(
    'questions',
    "is there, are there, is, are, does, do, did, was there, were there, was, were, is it, has, have, can you see, can we see, do you see, will, know if, know whether, check if, check whether, see if, see whether, find out if, find out whether, tell me if, tell me whether, verify that, isn't there, aren't there, wasn't there, weren't there, isn't, aren't, doesn't, didn't, wasn't, weren't, hasn't, haven't",
    { type: 'question', question: 'yes_no' },
  ),
  words('questions', 'when, at what time, what time, at which time', { type: 'question', question: 'when' }),
  words(
    'questions',
    'where, whereabouts, in which part, which side, on which side, from which side, from where, to which side',
    { type: 'question', question: 'where' },
  ),
  words('questions', 'color of, colour of, what color, what colour, which color, which colour', {
    type: 'question',
    question: 'which_color',
  }),
  words(
    'questions',
    'how long, for how long, how much time, how many seconds, how many minutes, how many hours, total time, total duration, duration',
    { type: 'question', question: 'how_long' },
  ),
  words(
    'questions',
    'what is, what are, what was, what were, what does, what do, what did, what happens, what is happening, what else happens, what happened, what do you see, what is going on, what can be seen, what is in, describe, summarise, summarize, summary, overview, narrate, what is shown, what is this, what is visible, key moments, highlights, highlight, key events, all events, anything interesting, anything notable, interesting moments, interesting events, notable events, important events, important moments, main events, what happens here, tell me about, caption this, caption the video, everything that happens, anything happen, anything happens, anything happening, something happens, something happening, anything going on, something going on',
    { type: 'question', question: 'describe' },
  ),
];

export const windows: readonly Entry[] = [
  words('sequences', 'in the first, the first, first, during the first, within the first', {
    type: 'window',
    window: 'first',
  }),
  words(
    'sequences',
    'in the last, the last, last, final, during the last, within the last, in the final, to the end, until the end, till the end, onwards, onward',
    {
      type: 'window',
      window: 'last',
    },
  ),
  words('sequences', 'at beginning, at very beginning, in beginning, at start, at very start, at the outset', {
    type: 'window',
    window: 'first',
    seconds: 10,
  }),
  words('sequences', 'at end, at very end, in end, towards end, near end, just before the end', {
    type: 'window',
    window: 'last',
    seconds: 10,
  }),
];

/** Which of all that is found. */
export const picks: readonly Entry[] = [
  words('sequences', 'first, first time, for first time, the first, earliest, first ever', {
    type: 'pick',
    pick: 'first',
  }),
  words('sequences', 'last, last time, for last time, the last, latest, final', { type: 'pick', pick: 'last' }),
  words('sequences', 'longest', { type: 'pick', pick: 'longest' }),
  words('sequences', 'shortest, briefest', { type: 'pick', pick: 'shortest' }),
];

export const fillers: readonly Entry[] = [
  words(
    'other',
    'a, an, the, is, are, be, been, being, am, was, were, gets, get, getting, got, has, have, had, does, do, did, its, their, his, her, completely, fully, complete, full, total, partly, partially, very, too',
    { type: 'filler', light: true },
  ),
  words(
    'other',
    "goes, will, would, can, could, should, may, might, must, becomes, become, that, which, whom, whose, there, here, any, all, every, each, some, this, these, those, such, also, very, really, actually, it's, s, t, so, too, of the, please, kindly, just, ever, now, currently, you, i, me, my, our, your, us, need, want, like, would like, let me know, whether, if, find, search, search for, look, look for, looking for, show, show me, give, give me, tell, tell me, detect, detecting, detection of, detection, identify, locate, spot, list, report, extract, retrieve, fetch, alert, alert me, alert when, alert me when, alert me if, notify, notify me, notify me when, flag when, flag if, flag any, flag every, flag all, mark when, mark any, mark every, mark all, warn me, warn me when, let me know when, check, check for, monitor, observe, see, watch, watch for, return clips, return all, return every, return the, get me, help, help me, find me, point out, pick out, where there is, in which, where, doing, know, hey, sure, make sure, ensure, ensure that, period, periods, stretch, stretches, interval, intervals, report when, report if, find when, detect when, log when, record when, alarm when, alarm if, wonder, want to, need to, would like to, make, makes, making, made, clip length, video, clip, footage, recording, film, movie, picture, image, frame, screen, view, scene, shot, frames, pictures, images, videos, clips, moment, moments, times, time, instance, instances, event, events, occasion, occasions, occurrence, occurrences, segment, segments, part of the video, sequence, case, cases, situation, situations, example, examples, timestamp, timestamps, of, when there is, when there are, what, kind of, sort of, type of, camera feed, cctv, footages, full, whole, entire, hello, hi, thanks, thank, thank you, at any time, at some point, point, place, to be, begins, begin, begins to, starts to, happens, happen, happening, happened, occurring, taking place, takes place, exact, find all, another, other, else, one of, kinds, types, own, in total, overall, total, altogether, ones, can be, be able to, do you, if any, with any, that is, let, during the video, in the video, in this video, in the clip, in this clip, in the footage, of the video, on video",
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
    'suddenly, sudden, quickly, fast, slowly, slow, rapidly, rapid, briskly, sharply, sharp, hard, harsh, harshly, abruptly, abrupt, gently, carefully, dangerously, dangerous, aggressively, erratically, quick, gradually, smoothly, heavily, heavy, strongly, strong, slightly, slight, immediately, shortly, soon, again, repeatedly, twice, once more, first time, often, frequently, always, constantly, continuously, briefly, for a while, for a long time, long, a long time, finally again, back, then again, straight, forward, forwards, backwards, around the, back and forth, directly, close, closely, far, further, clearly, almost, nearly, about, approximately, roughly, around about, especially, mostly, mainly, maybe, possibly, perhaps, probably, likely',
    { type: 'vague', reason: 'nothing here measures this word; the rest was looked for without it' },
  ),
  words(
    'other',
    'same, different, unknown, unidentified, unfamiliar, big, large, small, tiny, little, huge, tall, short, old, new, young, elderly, adult, male, female, blond, blonde, nice, clean, dirty, whole, busy, loaded, local, foreign, various, certain, specific, main, nearest, closest, biggest, largest, smallest, front, rear, leading, wild, ordinary, normal, visible clearly, real, commercial, private, public, heavy duty, electric',
    { type: 'vague', reason: 'nothing here tells things apart by this word; the rest was looked for without it' },
  ),
];
