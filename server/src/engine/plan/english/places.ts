import type { Entry } from '../meaning/senses.ts';
import { ANY_GARMENT, LOWER_GARMENT, NO_SIDE, OVERLAPPING, SAFETY_VEST, UPPER_GARMENT } from '../reasons.ts';
import { entry, PICTURES, words } from './entry.ts';
import { inflectEnglish } from './inflect.ts';
import { PLACE_NOUNS } from './place-nouns.generated.ts';

const nouns = entry('other', 'noun');

/** "on the left side of the picture" is a place; "on the left side of a car" is a relation. */
const inPicture = (side: string) =>
  PICTURES.flatMap((p) => [
    `${side} of ${p}`,
    `${side} side of ${p}`,
    `on ${side} of ${p}`,
    `on ${side} side of ${p}`,
  ]).join(', ');

/** Places in the picture, and directions through it. */
export const places: readonly Entry[] = [
  words('places', `left, left hand, lefthand, ${inPicture('left')}`, { type: 'side', side: 'left' }),
  words('places', `right, right hand, righthand, ${inPicture('right')}`, { type: 'side', side: 'right' }),
  words('places', 'top, upper', { type: 'side', side: 'top' }),
  words('places', 'bottom, lower', { type: 'side', side: 'bottom' }),
  words(
    'places',
    'middle, centre, center, central, dead center, dead centre, very center, very centre, very middle, exact center, exact centre, exact middle',
    { type: 'side', side: 'middle' },
  ),
  words('places', 'half, halves', { type: 'part', part: 'half' }),
  words('places', 'corner, third, part, quadrant, area, region, quarter', { type: 'part', part: 'area' }),
  words('places', 'side, edge, border, margin, end of the picture, hand side', { type: 'part', part: 'edge' }),
  words('places', 'middle line, centre line, center line, centreline, centerline, midline, halfway line', {
    type: 'line',
    line: 'vertical',
  }),
  words('places', 'horizontal middle line, horizontal centre line, horizontal center line', {
    type: 'line',
    line: 'horizontal',
  }),
  words('places', 'line, tripwire, trip wire, virtual line', { type: 'line', line: null }),
  words('places', 'upwards, upward, upstairs', { type: 'direction', direction: 'up' }),
  words('places', 'downwards, downward, downstairs', { type: 'direction', direction: 'down' }),
  words('places', 'up, bottom to top', { type: 'direction', direction: 'up' }),
  words('places', 'down, top to bottom', { type: 'direction', direction: 'down' }),
  words('places', 'leftwards, leftward, right to left', { type: 'direction', direction: 'left' }),
  words('places', 'rightwards, rightward, left to right', { type: 'direction', direction: 'right' }),
  words('places', 'away, away from the camera, away from camera, away from us, off', {
    type: 'direction',
    direction: 'away',
  }),
  words(
    'places',
    'towards the camera, toward the camera, towards camera, toward camera, to the camera, towards us, toward us, towards the viewer, at the camera, closer, nearer, towards me, at us, at me',
    { type: 'direction', direction: 'towards' },
  ),
];

/** Places in the world, which nothing recognizes. */
export const settings: readonly Entry[] = [
  nouns(
    'road, street, lane, pavement, sidewalk, footpath, path, crosswalk, zebra crossing, crossing, level crossing, railway crossing, shoulder, hard shoulder, verge, kerb, curb, lot, course, roof, parking space, parking spot, parking area, parking bay, petrol station, gas station, bus stop, building, house, home, door, doorway, gate, entrance, front door, back door, window, floor, ground, field, park, forest, beach, platform, station, train station, airport, zone, site, construction site, city, town, village, track, railway, ego lane, our lane, bike lane, bicycle lane, cycle lane, bus lane, opposite lane, oncoming lane, adjacent lane, next lane, runway, dock, pier, porch, ceiling, lawn, pitch, court, stage, bank, school, hospital, property, premises, perimeter, vicinity, turn lane, work zone, loading dock, space, way, work area, cell, balcony, terrace, square, market, mall, church, hotel, fuel pump, pedestrian zone, lay by, pool, swimming pool, bay, loading bay, cash machine, atm, cashpoint, vending machine, yard gate, lane divider, carriageway, central reservation, median, gutter, roadside, forecourt, front yard, back alley, alley, alleyway, side street, main street, back lot, patio, deck, veranda, jetty, harbor, harbour, quay, riverbank, shore, trail, footbridge, underpass, overpass, taxi stand, taxi rank, ticket office, ticket machine, security gate, checkpoint, toll booth, service counter, fitting room, changing room, cloakroom, break room, meeting room, conference room, waiting room, waiting area, seating area, storage area, storeroom, stockroom, back office, front desk, help desk, info desk, information desk, registration desk, booth, kiosk, stall, market stall, food stand, bleacher, penalty area, sideline',
    { type: 'setting', noun: true },
  ),
  nouns('shelf, shelves, rack, counter, checkout, table top, conveyor, reception desk, cash desk, till', {
    type: 'setting',
    noun: true,
    surface: true,
  }),
  nouns(
    'room, hall, office, warehouse, factory, corridor, hallway, lobby, kitchen, shop, store, supermarket, aisle, shop aisle, garage, restaurant, bar, cafe, bathroom, bedroom, living room, reception, basement, cellar, attic, vault, gym, classroom, yard, backyard, garden, driveway, parking lot, workspace, work cell, robot cell',
    { type: 'setting', noun: true, enclosed: true },
  ),
  // "A car parks" is an action.
  words('other', 'car park', { type: 'setting', noun: true, enclosed: true }),
  nouns(
    'highway, motorway, freeway, junction, intersection, crossroad, roundabout, bridge, tunnel, slip road, on ramp, off ramp',
    { type: 'setting', noun: true, passed: true },
  ),
  nouns('wall, fence, railing, barrier gate, turnstile', { type: 'setting', noun: true, solid: true }),
  nouns('stair, staircase, stairway, elevator, lift, escalator, ramp, slope', {
    type: 'setting',
    noun: true,
    steep: true,
  }),
  words(
    'other',
    'at lights, at light, dog park, bike park, skate park, trailer park, water park, theme park, playground, exit, grass, water, sea, sky, indoors, outdoors, outside, inside the building, background, foreground, distance, pedestrian crossings, upstairs, downstairs, nearby, close by, in traffic, on foot, parked cars area, crosswalks, at pedestrian crossing, on pedestrian crossing, over pedestrian crossing, near pedestrian crossing, off the road',
    { type: 'setting' },
  ),
  words(
    'other',
    'in the background, in the foreground, in the distance, far away, ahead, opposite, behind the camera, around the corner, in front, up ahead, close to the camera, near the camera',
    { type: 'setting', viewed: true },
  ),
  nouns('shirt, top, t shirt, tshirt, jersey, blouse', { type: 'garment', part: 'upper' }),
  nouns('jacket, coat, sweater, jumper, pullover, cardigan, hoodie, vest, waistcoat, blazer, dress, gown, apron', {
    type: 'garment',
    part: 'upper',
    caveat: UPPER_GARMENT,
  }),
  nouns('trouser, pant, legging', { type: 'garment', part: 'lower' }),
  nouns('jean, skirt, sweatpant, short trouser', {
    type: 'garment',
    part: 'lower',
    caveat: LOWER_GARMENT,
  }),
  nouns('clothe, clothing, outfit, garment', { type: 'garment', part: null }),
  nouns('uniform, suit', {
    type: 'garment',
    part: null,
    caveat: ANY_GARMENT,
  }),
  nouns(
    'high vis vest, high visibility vest, safety vest, hi vis vest, hi vis jacket, hi viz vest, high vis jacket, high visibility jacket, reflective vest, warning vest',
    { type: 'garment', part: 'upper', colors: ['orange', 'yellow'], caveat: SAFETY_VEST },
  ),
];

/** "On the left and right side of", "on both sides of". */
const oneOfTheSides = ['', 'on ', 'to ']
  .flatMap((at) => [
    ...['left or right', 'left and right'].flatMap((s) => [`${at}${s} of`, `${at}${s} side of`, `${at}${s} sides of`]),
    ...['either side', 'each side', 'both sides'].map((s) => `${at}${s} of`),
  ])
  .join(', ');

/** Relations between two objects. */
export const relations: readonly Entry[] = [
  words(
    'relations',
    'near, near to, next to, beside, close to, by, alongside, adjacent to, around, at about, at around, nearby to, in the vicinity of, near the, close by to, against, right next to, directly next to, right beside',
    { type: 'relation', relation: 'near' },
  ),
  words('relations', 'too close to, dangerously close to, too near, too near to, closer than is safe to', {
    type: 'relation',
    relation: 'too_close_to',
    caveat: 'distances are not measured; objects that almost touch at the same depth count',
  }),
  words('relations', 'with, w/, w, together with, along with, accompanied by, carrying, holding, having', {
    type: 'relation',
    relation: 'with',
  }),
  words('relations', 'touching, touches', {
    type: 'relation',
    relation: 'overlaps',
    caveat: OVERLAPPING,
    decides: true,
  }),
  words('relations', 'overlapping, overlaps, overlap, riding, rides, ride, rode', {
    type: 'relation',
    relation: 'overlaps',
  }),
  words('relations', 'in front of, infront of, infront, ahead of, right in front of, directly in front of', {
    type: 'relation',
    relation: 'in_front_of',
  }),
  words('relations', 'behind, in back of, right behind, directly behind', { type: 'relation', relation: 'behind' }),
  words('relations', 'left of, left side of, to left of, on left of, on left side of', {
    type: 'relation',
    relation: 'left_of',
  }),
  words('relations', 'right of, right side of, to right of, on right of, on right side of', {
    type: 'relation',
    relation: 'right_of',
  }),
  words('relations', oneOfTheSides, {
    type: 'relation',
    relation: 'near',
    caveat: NO_SIDE,
  }),
  words('relations', 'above, over', { type: 'relation', relation: 'above' }),
  words('relations', 'below, under, underneath, beneath', { type: 'relation', relation: 'below' }),
  words('relations', 'on top of, onto', { type: 'relation', relation: 'on' }),
  words('relations', 'each other, one another', { type: 'reciprocal' }),
  words('relations', 'side by side, close together, shoulder to shoulder', { type: 'reciprocal', relation: 'near' }),
  words('relations', 'inside, inside of, within the', { type: 'relation', relation: 'inside' }),
];

/** Places of WordNet that the vocabulary does not list. */
export function placesOutside(entries: readonly Entry[]): Entry[] {
  const phrasesOf = ({ phrases }: Entry) => phrases.split(',').map((phrase) => phrase.trim());
  const listed = new Set(entries.flatMap(phrasesOf));
  // "A pedestrian crossing": rather what somebody does.
  const verbs = entries.filter(({ inflection }) => inflection === 'verb').flatMap(phrasesOf);
  const forms = new Set(verbs.flatMap((verb) => inflectEnglish(verb, 'verb')));
  const rest = (phrases: string) =>
    phrases
      .split(', ')
      .filter((phrase) => !listed.has(phrase) && !forms.has(phrase.split(' ').at(-1)!))
      .join(', ');
  const place = (phrases: string, enclosed: boolean): Entry => ({
    ...nouns(rest(phrases), { type: 'setting', noun: true, ...(enclosed ? { enclosed } : {}) }),
    isUnlisted: true,
  });
  return [place(PLACE_NOUNS.enclosed, true), place(PLACE_NOUNS.open, false)];
}
