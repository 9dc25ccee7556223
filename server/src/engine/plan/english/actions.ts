import type { ActionSense, Entry } from '../meaning/senses.ts';
import {
  ANY_MOTION,
  ANY_PACE,
  CLOSE_HANDS,
  CLOSE_TOGETHER,
  GETTING_OUT,
  KNEELING,
  ONCOMING,
  OVERLAPPING,
  PARKING,
  REASONS,
  REMOVED,
  SITTING,
} from '../reasons.ts';
import type { Action } from '../schema.ts';

const verb = (phrases: string, action: Action, more: Partial<ActionSense> = {}): Entry => ({
  phrases,
  inflection: 'verb',
  senses: [{ type: 'action', action, ...more }],
  group: 'actions',
});
const fixed = (phrases: string, action: Action, more: Partial<ActionSense> = {}): Entry => ({
  ...verb(phrases, action, more),
  inflection: 'none',
});
const BREAKDOWN = 'why a vehicle stands is not checked: any that stands is a candidate for this';
const WRONG_WAY = 'which way is right is not checked: what moves against most of the others is a candidate for this';
const TOO_CLOSE = 'distances are not measured: a vehicle counts that is large ahead, or right behind another one';

/** Each of the verbs with each of the phrases. */
const combine = (verbs: string, phrases: string) =>
  verbs
    .split(' ')
    .flatMap((word) => phrases.split(', ').map((phrase) => `${word} ${phrase}`))
    .join(', ');
const MOVING = 'go move walk step drive ride roll slide fly swim crawl drift cycle wander pull';
const FAST = 'run jog sprint rush hurry';
const OUT_OF_FRAME =
  'out of frame, out of shot, out of picture, out of image, out of scene, off screen, off camera, off frame';
/** Behind something, or over an edge of the frame. */
const OUT_OF_VIEW = 'out of view, out of sight, from view, from sight';

const HANDS = 'hand, hands, his hand, his hands, her hand, her hands, their hand, their hands';
const ARMS = 'arm, arms, his arm, his arms, her arm, her arms, their arm, their arms';

/** Actions that tracks of boxes show. */
export const actions: readonly Entry[] = [
  fixed(
    'present, visible, in view, in the picture, in picture, in frame, in shot, in sight, on screen, on camera, seen, shown, around, there, detected, spotted, observed, noticed, recorded, captured, on view, can be seen, could be seen, to be seen, within view, within sight, still there, still here, still around, still in view, still visible',
    'present',
    { weak: true },
  ),
  verb('exist, occur, spend', 'present', { weak: true }),
  verb('stay, remain', 'present', { weak: true, stays: true }),
  fixed(
    'out of view, out of sight, out of frame, out of shot, out of picture, off screen, off camera, not in view',
    'present',
    {
      negated: true,
      weak: true,
    },
  ),
  verb(
    'appear, show up, emerge, turn up, pop up, drop by, show itself, arrive, become visible, come into view, come into sight, reappear, come back',
    'appears',
  ),
  verb('come out', 'appears', { exits: true }),
  verb(combine('step walk jump come go', 'out in front of'), 'appears', { relation: 'in_front_of' }),
  verb(combine('run dart rush', 'out in front of'), 'appears', { relation: 'in_front_of', caveat: ANY_PACE }),
  verb(combine('stay remain stand wait', 'in same place, in one place, in same spot, in one spot, on spot'), 'stands', {
    weak: true,
  }),
  verb('step out from, come out from, walk out from, jump out from, emerge from', 'appears'),
  verb(combine('step come walk jump emerge', 'out between, out from between, from between'), 'appears', {
    relation: 'near',
  }),
  verb(combine('run dart', 'out between, out from between'), 'appears', { relation: 'near', caveat: ANY_PACE }),
  verb('run out from, dart out from', 'appears', { caveat: ANY_PACE }),
  fixed('come and go, comes and goes, came and went, coming and going, comings and goings, come or go', 'appears', {
    or: 'disappears',
  }),
  verb(
    'go in and out, come in and out, walk in and out, run in and out, drive in and out, go in or out, go in and out of, come in and out of, walk in and out of',
    'enters',
    {
      or: 'leaves',
    },
  ),
  fixed('in and out, in and out of, in or out, in or out of', 'enters', { or: 'leaves' }),
  verb(
    'get out, get out of, step out of, come out of, climb out, climb out of, get off, jump out, jump out of',
    'appears',
    {
      caveat: GETTING_OUT,
      decides: true,
    },
  ),
  verb('disappear, vanish, go missing, drop out of sight, slip away', 'disappears'),
  verb(
    'enter, come in, come into, walk into, step into, head into, head in, file in, stroll in, stroll into, barge in, burst in, wander in, drive into, ride into, move into, go into, pull in, pull into, get in, get into, get back in, get back into, get on, get onto, come inside, go inside, pull up into',
    'enters',
  ),
  verb('run into', 'enters', { caveat: ANY_PACE }),
  verb(
    'leave, exit, depart, clear out, head out, go out, walk out, step out, drive out, move out, walk off, go outside',
    'leaves',
  ),
  verb('run out, run off', 'leaves', { caveat: ANY_PACE }),
  verb('run across', 'crosses', { caveat: ANY_PACE }),
  verb(
    'cross, traverse, go across, walk across, drive across, move across, ride across, come across, cut across',
    'crosses',
  ),
  verb('move, go, travel, roll, ride, head, proceed, come, step', 'moves', { weak: true }),
  verb('walk', 'moves', { weak: true, by: 'person' }),
  verb('drive', 'moves', { weak: true, by: 'camera' }),
  verb('fly, swim, sail, float, glide, soar, paddle, row', 'moves', { weak: true, caveat: ANY_MOTION }),
  verb('slide, crawl, climb', 'moves', { weak: true, caveat: ANY_MOTION, decides: true }),
  verb('run, jog, sprint, rush, race, dash, hurry, bolt', 'moves', {
    weak: true,
    by: 'person',
    caveat: ANY_PACE,
    decides: true,
    posed: 'runs',
  }),
  verb(
    'stroll, wander, roam, march, cruise, stride, pace, saunter, amble, trot, gallop, tiptoe, hike, parade',
    'moves',
    { weak: true, by: 'person', caveat: ANY_PACE },
  ),
  fixed('oncoming', 'moves', { direction: 'towards', weak: true, caveat: ONCOMING }),
  verb('run away', 'moves', { direction: 'away', caveat: ANY_PACE, decides: true, posed: 'runs' }),
  verb('go away, walk away, drive away, move away, ride away, retreat, recede, go off', 'moves', {
    direction: 'away',
  }),
  verb(
    'stop, halt, come to a stop, come to a complete stop, come to a full stop, come to a halt, come to rest, come to a standstill, stop moving, stop walking, stop running, stop driving, draw up, pull up',
    'stops',
  ),
  verb('park, pull over, park up', 'stops', { caveat: PARKING, decides: true }),
  verb(
    combine(
      'grind roll screech skid slow coast drift glide',
      'to stop, to a stop, to halt, to a halt, to a standstill, to rest',
    ),
    'stops',
  ),
  verb(
    'stand, stand still, wait, idle, stand around, rest, stay still, stay put, remain still, remain stationary, hold still',
    'stands',
    { weak: true },
  ),
  verb('sit, sit around, sit still', 'stands', {
    weak: true,
    by: 'person',
    caveat: SITTING,
    decides: true,
    posed: 'sits',
  }),
  fixed('seated', 'sits'),
  verb(
    'start, pull out, pull out of, start moving, begin moving, begin to move, start to move, set off, pull away, drive off, move off, start driving, start walking, take off, get going, get moving, get under way, get underway, get rolling, start rolling, set out, head off, drive on, move on',
    'starts',
  ),
  verb(
    'loiter, linger, hang around, hang about, hang out, dwell, lurk, loaf around, mill around, mill about, stick around, stand about',
    'loiters',
  ),
  fixed('loiterer, loiterers', 'loiters'),
  verb('run up to', 'approaches', { caveat: ANY_PACE }),
  verb(
    'approach, walk up to, come up to, go up to, drive up to, step up to, come closer, get closer, move closer, come near, come nearer, get nearer, draw near, close in',
    'approaches',
  ),
  verb('run past, run by', 'passes', { weak: true, by: 'person', caveat: ANY_PACE }),
  verb('walk past, walk by', 'passes', { weak: true, by: 'person' }),
  verb('pass, pass by, go past, drive past, ride past, move past, go by, come by, drive by, come past', 'passes', {
    weak: true,
  }),
  // Before the verb itself: the likelier sense of a form that is both.
  fixed('overtaken, overtaken by', 'overtakes', { passive: true }),
  fixed('approached by', 'approaches', { passive: true }),
  verb('overtake', 'overtakes'),
  verb('follow, walk behind, drive behind, ride behind, run after, walk after, go after, drive after', 'follows'),
  fixed(
    'tailgating, following too close, following too closely, follow too close, follow too closely, follows too closely, follows too close, driving too close, too close to vehicle ahead, too close to vehicle in front, too close to car ahead, too close to car in front, short following distance, unsafe following distance, close following, close following distance, vehicle close ahead, car close ahead, vehicle ahead too close, vehicle in front too close, car ahead too close, car in front too close, too close, too near, dangerously close',
    'close_ahead',
    { caveat: TOO_CLOSE },
  ),
  verb('tailgate', 'follows', { caveat: TOO_CLOSE }),
  verb('ride on', 'moves', { weak: true, relation: 'overlaps' }),
  verb('push, pull, drag, lead, use', 'present', {
    weak: true,
    relation: 'with',
    caveat: CLOSE_HANDS,
    decides: true,
  }),
  verb('carry, hold, bring, walk with, stand with', 'present', { weak: true, relation: 'with', caveat: CLOSE_HANDS }),
  verb('touch, hug, lean on, lean against', 'present', {
    relation: 'overlaps',
    caveat: OVERLAPPING,
    decides: true,
  }),
  verb('meet, join, gather, gather around, huddle, congregate, crowd around, cluster around', 'present', {
    relation: 'near',
    caveat: CLOSE_TOGETHER,
  }),
  verb('abandon, leave behind, leave unattended, forget', 'left_behind'),
  fixed('left item, left items, left object, left objects', 'left_behind'),
  fixed('unattended, left behind, abandoned, left unattended, left alone', 'left_behind'),
  fixed('stolen, taken', 'taken_away', { caveat: REMOVED }),
  verb('take away, remove, carry away, carry off, steal, snatch', 'taken_away', {
    caveat: REMOVED,
  }),
  verb(combine('fall', 'over, down, to ground, to floor, on ground, on floor, onto ground, onto floor'), 'falls', {
    by: 'person',
  }),
  verb('fall down stairs', 'falls', { by: 'person', caveat: REASONS.place }),
  verb('fall, collapse, keel over, topple over, slip and fall, trip and fall', 'falls', { by: 'person' }),
  verb(combine('lie', 'down, on ground, on floor, down on floor, down on ground'), 'lies', { by: 'person' }),
  verb('lie', 'lies', { by: 'person' }),
  fixed('laying on ground, laying on floor, laying down', 'lies', { by: 'person' }),
  verb('sit down, take a seat, have a seat', 'sits_down', { by: 'person' }),
  verb('crouch, crouch down, squat, squat down', 'crouches', { by: 'person' }),
  verb('kneel, kneel down', 'crouches', { by: 'person', caveat: KNEELING }),
  verb('bend, bend over, bend down, bend forward, stoop, lean forward', 'bends', { by: 'person' }),
  verb(combine('raise lift', `${HANDS}, ${ARMS}`), 'raises_hand', { by: 'person' }),
  verb(combine('put hold stick', `${HANDS.replaceAll(',', ' up,')} up`), 'raises_hand', { by: 'person' }),
  fixed(
    'hand raised, hands raised, hand up, hands up, with hand up, with hands up, with hand raised, with hands raised, with his hands up, with her hands up, with their hands up, with raised hands',
    'raises_hand',
  ),
  verb(`wave, wave at camera, ${combine('wave', `${HANDS}, ${ARMS}`)}`, 'waves', { by: 'person' }),
  fixed('pointing', 'points', { by: 'person' }),
  verb('point at something, point to something, point finger', 'points', { by: 'person' }),
  verb(
    combine('touch scratch rub cover', 'face, his face, her face, their face, head, his head, her head, their head'),
    'hand_at_face',
    { by: 'person' },
  ),
  fixed('hand at face, hand on face, hand to face, hands on face', 'hand_at_face'),
  fixed('on phone, on a phone, on mobile, on cell phone, on mobile phone, on cellphone, phone at ear', 'phones', {
    weak: true,
  }),
  verb(combine('talk speak', 'on phone, on cell phone, on mobile, on mobile phone, into phone'), 'phones', {
    by: 'person',
  }),
  verb('phone, telephone, make phone call, make call, take phone call, take call, call someone', 'phones', {
    by: 'person',
  }),
  verb('stand up, stand back up, get up, get back up', 'stands_up', { by: 'person' }),
  verb(combine(`${MOVING} ${FAST}`, 'wrong way, in wrong direction'), 'goes_against', {
    caveat: WRONG_WAY,
    decides: true,
  }),
  fixed('wrong way driver, wrong way drivers, wrong way driving, ghost driver, ghost drivers', 'goes_against', {
    caveat: WRONG_WAY,
    decides: true,
  }),
  verb(
    combine(
      `${MOVING} ${FAST}`,
      'other way, opposite way, in opposite direction, in other direction, against traffic, against flow, against flow of traffic, against crowd, against others, against rest',
    ),
    'goes_against',
  ),
  verb(
    'cut in, cut in front of, cut in ahead of, pull in front of, pull out in front of, pull out ahead of',
    'cuts_in',
  ),
  verb(combine('block', 'way, our way, my way, our path, my path, our lane, my lane'), 'blocks_way'),
  fixed('hit by, struck by, run over by, knocked down by', 'collides', { passive: true }),
  verb('hit, collide, collide with, crash, crash into, crash with, bump into, run over', 'collides'),
  fixed('hit and run, hit and runs', 'collides', { caveat: 'whether somebody drives off is not checked' }),
  fixed(
    `accident, accidents, crash, crashes, collision, collisions, pile up, pileup, fender bender, ${combine(
      'car traffic road vehicle',
      'accident, accidents, crash, collision, collisions',
    )}`,
    'collides',
  ),
  fixed('broken down, stranded', 'stands', { caveat: BREAKDOWN, decides: true }),
  fixed('missing, gone', 'disappears'),
  fixed('returns, returned, returning', 'appears', {
    caveat: 'looked for as appearing; who was there before is not known',
  }),
  verb(combine('disappear vanish', `${OUT_OF_VIEW}, ${OUT_OF_FRAME}`), 'disappears'),
  verb(combine(MOVING, OUT_OF_VIEW), 'disappears'),
  verb(combine(FAST, OUT_OF_VIEW), 'disappears', { caveat: ANY_PACE }),
  verb(combine(MOVING, OUT_OF_FRAME), 'leaves'),
  verb(combine(FAST, OUT_OF_FRAME), 'leaves', { caveat: ANY_PACE }),
];

const state = (phrases: string, which: 'stationary' | 'moving'): Entry => ({
  phrases,
  inflection: 'none',
  senses: [{ type: 'state', state: which }],
  group: 'actions',
});

/** Participles before a noun: "a parked car". */
export const states: readonly Entry[] = [
  state(
    'parked, stuck, stopped, halted, waiting, stationary, motionless, immobile, unmoving, not moving, stable, steady, at rest, at a standstill, still',
    'stationary',
  ),
  {
    phrases: 'moving',
    inflection: 'none',
    senses: [{ type: 'state', state: 'moving' }],
    group: 'actions',
  },
];
