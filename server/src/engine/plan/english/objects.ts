import type { Entry, Sense } from '../meaning/senses.ts';
import {
  ANY_BICYCLE,
  ANY_BUS,
  ANY_CAR,
  ANY_GLASS,
  ANY_PERSON,
  ANY_TRUCK,
  ANY_VEHICLE,
  AS_JAM,
  AS_TRAIN,
  DARK_COLORS,
  LIGHT_COLORS,
  NO_DELIVERIES,
  NO_VANS,
  ONLY_TABLE,
  PALE_COLORS,
  REASONS,
  SILVER,
} from '../reasons.ts';

type NounSense = Extract<Sense, { type: 'noun' }>;

const noun = (phrases: string, classes: string, more: Partial<NounSense> = {}): Entry => ({
  phrases,
  inflection: 'noun',
  senses: [{ type: 'noun', classes: classes === '' ? [] : classes.split(', '), ...more }],
  group: 'things',
});
/** Not inflected: collective and indefinite words. */
const fixed = (phrases: string, classes: string, more: Partial<NounSense> = {}): Entry => ({
  ...noun(phrases, classes, more),
  inflection: 'none',
});

const VEHICLES = 'car, truck, bus, motorcycle';
export const ANIMALS = 'bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe';
const anyPerson = { caveat: ANY_PERSON };
const anyCar = { caveat: ANY_CAR };
const anyTruck = { caveat: ANY_TRUCK };

/** Vehicles that are known by what they are for: what is found may be another one. */
const anyVehicle = {
  caveat: ANY_VEHICLE,
  decides: true,
};

/** Nouns: the 80 COCO classes with their synonyms, and common groups of classes. */
export const nouns: readonly Entry[] = [
  noun('person, human, individual, bystander, spectator, human being, subject', 'person'),
  noun('pedestrian, ped, passer by', 'person', { afoot: true }),
  fixed('person on foot, pedestrian traffic, foot traffic', 'person', { afoot: true }),
  fixed('people on foot, persons on foot', 'person', { afoot: true, plural: true }),
  noun('walker, dog walker, hiker, jogger, runner, sprinter', 'person', { afoot: true, ...anyPerson }),
  fixed('somebody, someone, some1, smb, sb, anybody, anyone, any1, everybody, everyone, folks', 'person'),
  fixed('ppl', 'person', { plural: true }),
  fixed('nobody, no one, noone', 'person', { negated: true }),
  fixed('crowd, crowds, crowd of people, crowded, overcrowded, crowding, overcrowding, mob', 'person', { min: 5 }),
  fixed('group, groups, group of people, groups of people', 'person', { min: 3 }),
  fixed('couple, couples', 'person', { min: 2, ...anyPerson }),
  noun(
    'man, woman, boy, girl, child, kid, baby, toddler, teenager, adult, lady, gentleman, guy, worker, employee, staff member, cashier, clerk, resident, neighbor, neighbour, attendee, attendant, customer, shopper, visitor, guest, passenger, rider, intruder, trespasser, stranger, tourist, student, player, patient, operator, technician, colleague, bloke, dude, lad, lass, chap, fella, fellow, kiddo, infant, newborn, youngster, teen, senior, pensioner, grandma, grandpa, mum, dad, granny, commuter, climber, swimmer, skier, snowboarder, surfer, skater, skateboarder, athlete, goalkeeper, goalie, defender, striker, pitcher, catcher, batter, teammate, opponent, coworker, janitor, cleaner, barista, bartender, salesperson, shopkeeper, receptionist, teacher, trainer, dancer, singer, speaker, presenter, host, actor, crew member, team member, picker, packer, loader, fan, supporter, onlooker, witness, occupant, tenant, lodger, inhabitant, local, member, participant, protester, demonstrator, beggar, busker, hitchhiker',
    'person',
    anyPerson,
  ),
  fixed('which object, which thing, which item, what object', '', {
    caveat: REASONS.whichObject,
  }),
  noun('driver', 'person', { ...anyPerson, carrier: true }),
  fixed('who, whoever, whos', 'person', { caveat: REASONS.whoIs }),
  noun('cyclist, bicyclist, bike rider, bicycle rider, biker', 'bicycle', { ridden: true }),
  noun('motorcyclist, motorbike rider, motorcycle rider', 'motorcycle', { ridden: true }),
  noun('vehicle, motor vehicle, automobile vehicle', VEHICLES),
  fixed('traffic', VEHICLES, { plural: true }),
  noun('road user, traffic participant', 'person, bicycle, car, motorcycle, bus, truck'),
  noun('car, automobile, motorcar, motor car, auto', 'car'),
  noun(
    'saloon, sedan, hatchback, estate car, station wagon, coupe, convertible, suv, minivan, jeep, sports car, passenger car, limousine, crossover',
    'car',
    anyCar,
  ),
  noun('van, delivery van', 'car, truck', { caveat: NO_VANS }),
  noun('truck, lorry, hgv', 'truck'),
  noun(
    'pickup, pickup truck, pick up truck, flatbed, flatbed truck, cement mixer, 18 wheeler, big rig, rig, juggernaut, moving truck, box truck, delivery truck, semi, semi truck, semi trailer, dump truck, tanker, articulated lorry, box lorry',
    'truck',
    anyTruck,
  ),
  noun('delivery', 'truck, car', { caveat: NO_DELIVERIES }),
  noun('police car, police vehicle, patrol car, taxi, cab, limo, getaway car', 'car', anyVehicle),
  noun('ambulance, emergency vehicle', 'car, truck, bus', anyVehicle),
  noun(
    'fire engine, fire truck, firetruck, garbage truck, tow truck, ice cream truck, mail truck',
    'truck',
    anyVehicle,
  ),
  noun('school bus', 'bus', anyVehicle),
  noun('bus, coach, double decker, city bus, public bus', 'bus'),
  noun('minibus, shuttle', 'bus', { caveat: ANY_BUS }),
  noun(
    'motorcycle, motorbike, moped, motor scooter, vespa, motor bike, motor cycle, dirt bike, chopper bike',
    'motorcycle',
  ),
  noun('bicycle, bike, pushbike, push bike, cycle, mountain bike, road bike, racing bike, city bike', 'bicycle'),
  noun('e bike, ebike, electric bike', 'bicycle', {
    caveat: ANY_BICYCLE,
  }),
  noun('two wheeler', 'bicycle, motorcycle'),
  noun('train, locomotive, freight train, passenger train, railcar, railway carriage', 'train'),
  noun('tram, metro, streetcar, light rail', 'train', { caveat: AS_TRAIN }),
  noun('airplane, aeroplane, plane, aircraft, jet, airliner, jumbo jet, passenger plane, glider', 'airplane'),
  noun(
    'boat, ship, yacht, canoe, kayak, vessel, sailboat, ferry, dinghy, speedboat, motorboat, rowing boat, rowboat, sailing boat, fishing boat, barge, raft, tugboat, trawler',
    'boat',
  ),
  noun('traffic light, traffic signal, stoplight, stop light', 'traffic light', {
    fixedColor:
      'the lit lamp of a traffic light is looked for on its own: "a green traffic light", "the light turns red"',
  }),
  noun('fire hydrant, hydrant', 'fire hydrant'),
  noun('stop sign', 'stop sign'),
  noun('parking meter', 'parking meter'),
  noun('bench', 'bench'),
  noun('animal, wild animal, creature', ANIMALS),
  fixed('wildlife', ANIMALS),
  fixed('livestock', 'cow, sheep, horse'),
  noun('pet', 'cat, dog'),
  noun(
    'bird, pigeon, seagull, gull, crow, duck, goose, chicken, birdie, sparrow, parrot, hawk, eagle, owl, swan, dove, robin, magpie, raven, hen, turkey, pelican, heron, stork',
    'bird',
  ),
  noun('cat, kitten, kitty, tomcat, pussycat, tabby cat, tabby', 'cat'),
  noun('dog, puppy, hound, pup, doggo, doggy, doggie, pooch, mutt, canine', 'dog'),
  noun('horse, pony, foal, mare, stallion', 'horse'),
  noun('sheep, lamb', 'sheep'),
  noun('cow, bull, calf, ox, heifer', 'cow'),
  fixed('cattle', 'cow'),
  noun('elephant', 'elephant'),
  noun('bear', 'bear'),
  noun('zebra', 'zebra'),
  noun('giraffe', 'giraffe'),
  noun('bag', 'backpack, handbag, suitcase'),
  fixed('luggage, baggage', 'suitcase, backpack, handbag'),
  {
    phrases: 'left luggage, left baggage',
    inflection: 'none',
    senses: [
      { type: 'noun', classes: ['suitcase', 'backpack', 'handbag'] },
      { type: 'action', action: 'left_behind' },
    ],
    group: 'things',
  },
  noun('backpack, rucksack, knapsack, school bag, schoolbag, daypack', 'backpack'),
  noun('handbag, purse, shoulder bag, hand bag, clutch bag', 'handbag'),
  noun('suitcase, trolley case, roller bag, rolling bag, wheeled case, carry on, trolley bag', 'suitcase'),
  {
    phrases: 'traffic jam, traffic jams, congestion, traffic congestion, gridlock, tailback, tailbacks',
    inflection: 'none',
    senses: [
      { type: 'noun', classes: VEHICLES.split(', '), min: 3, plural: true },
      { type: 'action', action: 'stands', caveat: AS_JAM, decides: true },
    ],
    group: 'things',
  },
  {
    phrases: 'man down, person down, worker down',
    inflection: 'none',
    senses: [
      { type: 'noun', classes: ['person'] },
      { type: 'action', action: 'lies' },
    ],
    group: 'things',
  },
  noun('umbrella, parasol, brolly', 'umbrella'),
  noun('tie, necktie', 'tie'),
  noun('frisbee', 'frisbee'),
  fixed('skis, ski', 'skis'),
  noun('snowboard', 'snowboard'),
  noun(
    'ball, sports ball, football, soccer ball, basketball, tennis ball, volleyball, baseball, rugby ball, handball, beach ball, cricket ball, golf ball, puck',
    'sports ball',
  ),
  noun('kite', 'kite'),
  noun('baseball bat', 'baseball bat'),
  noun('baseball glove', 'baseball glove'),
  noun('skateboard', 'skateboard'),
  noun('surfboard', 'surfboard'),
  noun('tennis racket', 'tennis racket'),
  noun('bottle, water bottle, beer bottle, wine bottle, plastic bottle, glass bottle, flask', 'bottle'),
  noun('wine glass', 'wine glass'),
  noun('cup, mug, coffee cup, coffee mug, teacup, tea cup, paper cup', 'cup'),
  noun('fork', 'fork'),
  noun('knife', 'knife'),
  noun('spoon', 'spoon'),
  noun('bowl', 'bowl'),
  noun('banana', 'banana'),
  noun('apple', 'apple'),
  noun('sandwich', 'sandwich'),
  noun('orange, orange fruit', 'orange'),
  fixed('broccoli', 'broccoli'),
  noun('carrot', 'carrot'),
  noun('hot dog', 'hot dog'),
  noun('pizza', 'pizza'),
  noun('donut, doughnut', 'donut'),
  noun('cake', 'cake'),
  fixed('fruit, fruits', 'banana, apple, orange'),
  fixed('food', 'banana, apple, sandwich, orange, broccoli, carrot, hot dog, pizza, donut, cake'),
  noun('chair, stool, armchair, office chair, desk chair, seat, rocking chair', 'chair'),
  noun('couch, sofa, settee, loveseat', 'couch'),
  noun('potted plant, houseplant, plant pot', 'potted plant'),
  noun('bed', 'bed'),
  noun('dining table', 'dining table'),
  noun('table, desk', 'dining table', { caveat: ONLY_TABLE }),
  fixed('furniture', 'chair, couch, bed, dining table'),
  noun('toilet', 'toilet'),
  noun(
    'tv, television, tv set, a monitor, the monitor, computer monitor, tv monitor, computer screen, tv screen',
    'tv',
  ),
  noun('laptop, notebook computer, laptop computer, macbook', 'laptop'),
  noun('computer mouse', 'mouse'),
  noun('mouse', 'mouse', { ambiguous: 'the detector knows the computer mouse, not the animal' }),
  noun('remote, remote control', 'remote'),
  noun('keyboard', 'keyboard'),
  noun(
    'cell phone, cellphone, mobile phone, mobile, phone, smartphone, smart phone, iphone, telephone, handset',
    'cell phone',
  ),
  noun('microwave, microwave oven', 'microwave'),
  noun('oven', 'oven'),
  noun('toaster', 'toaster'),
  noun('sink', 'sink'),
  noun('refrigerator, fridge', 'refrigerator'),
  noun('book', 'book'),
  noun('clock', 'clock'),
  noun('vase', 'vase'),
  fixed('scissors, pair of scissors', 'scissors'),
  noun('teddy bear, teddy', 'teddy bear'),
  noun('hair drier, hair dryer, hairdryer', 'hair drier'),
  noun('toothbrush', 'toothbrush'),
  noun('glass, drinking glass, water glass', 'wine glass, cup', { caveat: ANY_GLASS }),
  noun('object, thing, item', ''),
  fixed('something, anything, everything', ''),
  fixed('nothing', '', { negated: true }),
];

const color = (phrases: string, names: string, caveat?: string): Entry => ({
  phrases: phrases
    .split(', ')
    .flatMap((p) => [p, `dark ${p}`, `bright ${p}`, `${p} coloured`, `${p} colored`])
    .join(', '),
  inflection: 'none',
  senses: [{ type: 'color', names: names.split(', '), ...(caveat === undefined ? {} : { caveat }) }],
  group: 'colors',
});

/** Light shades: their pixels are partly named white or gray, so what is found may be another shade. */
const paleColor = ({ phrases, ...entry }: Entry): Entry[] =>
  entry.senses.some((sense) => sense.type === 'color' && sense.names.every((name) => GRAYS.has(name)))
    ? [{ ...entry, phrases: palest(phrases) }]
    : [
        {
          ...entry,
          phrases: palest(phrases),
          senses: entry.senses.map((sense) => ({ ...sense, caveat: PALE_COLORS, decides: true })),
        },
      ];
const palest = (phrases: string) =>
  phrases
    .split(', ')
    .filter((phrase) => !/^(?:dark|bright) |colou?red$/.test(phrase))
    .flatMap((phrase) => [`light ${phrase}`, `pale ${phrase}`])
    .join(', ');
const GRAYS: ReadonlySet<string> = new Set(['black', 'white', 'gray']);

const plainColors: readonly Entry[] = [
  color('red, crimson, scarlet, maroon, burgundy, reddish, ruby, cherry red, wine red, brick red', 'red'),
  color('orange, amber', 'orange'),
  color('yellow, gold, golden, yellowish', 'yellow'),
  color(
    'green, olive, greenish, lime, lime green, emerald, khaki green, forest green, mint green, neon green',
    'green',
  ),
  color('blue, navy, navy blue, azure, sky blue, bluish, royal blue, baby blue, cobalt, indigo', 'blue'),
  color('teal, turquoise, cyan', 'cyan, green, blue'),
  color('purple, violet, magenta, lilac, lavender, mauve, plum', 'purple'),
  color('pink, rose, hot pink, fuchsia, salmon', 'pink'),
  color('brown, tan, chestnut, bronze, brownish', 'brown'),
  color('beige, cream', 'brown, yellow, white'),
  color('black, jet black', 'black'),
  color('white', 'white'),
  color('gray, grey, charcoal, greyish, grayish', 'gray'),
  color('silver, silvery, metallic', 'gray, white', SILVER),
];

/** Colors, by the names that the observers give to pixels. */
export const colors: readonly Entry[] = [
  ...plainColors,
  ...plainColors.flatMap(paleColor),
  {
    phrases: 'light coloured, light colored, pale',
    inflection: 'none',
    senses: [{ type: 'color', names: ['white', 'gray'], caveat: LIGHT_COLORS }],
    group: 'colors',
  },
  {
    phrases: 'dark, dark coloured, dark colored',
    inflection: 'none',
    senses: [
      { type: 'color', names: ['black', 'gray'], caveat: DARK_COLORS },
      { type: 'signal', signal: 'dark' },
    ],
    group: 'colors',
  },
];
