import type { Entry } from '../meaning/senses.ts';
import { NO_CLASS, NO_WEATHER, NOT_RECOGNIZED, REASONS } from '../reasons.ts';

const beyond = (inflection: Entry['inflection'], phrases: string, reason: string): Entry => ({
  phrases,
  inflection,
  senses: [{ type: 'beyond', reason, verb: inflection === 'verb' }],
  group: 'beyond',
});

const NOT_A_ROBOT = `${NO_CLASS}; for the one that carries the camera say "camera"`;

/** Requests that no observer can answer, with the reason and, where there is one, an alternative. */
export const beyonds: readonly Entry[] = [
  beyond(
    'verb',
    'trip, slip, stumble, jump, leap, lean, stretch, nod, dance',
    'this movement of the body is not recognized',
  ),
  beyond('verb', 'point', 'what is pointed at is not known; "someone is pointing" finds candidates'),
  beyond(
    'verb',
    'fight, punch, kick, slap, attack, assault, wrestle, argue, threaten, harass, shoot',
    'interactions between people are not detected; "two people overlapping" finds persons in contact',
  ),
  beyond(
    'verb',
    'smash, strike',
    'contact cannot be distinguished from passing close; "a car overlapping a person" or "bang" finds candidates',
  ),
  beyond(
    'noun',
    'near miss, near collision, near accident, impact, rear end',
    'this is not detected; "accident", "bang", "camera shaking" or "camera brakes" find candidates',
  ),
  beyond(
    'verb',
    'throw, drop, pick up, pick, put down, put, place, grab, grasp, take, open, close, shut, lift, raise, lower, hand over, give, catch, pour, flip, knock, knock over, tip over, press, cut off, wash, clean, fold, insert, unload, load, release, reach, type, write, draw, cook, eat, drink, wipe, stack, sort, assemble, install, repair, dig, paint, plug, unplug, shoplift, break, break in, vandalise, vandalize, spray',
    'hand actions cannot be detected',
  ),
  beyond('none', 'smoking, vaping', 'hand actions cannot be detected'),
  beyond(
    'verb',
    'talk, speak, chat, applaud, shout, scream, cry, laugh, smile, say, sing, yell, call, bark, honk',
    'who speaks and how is not recognized, nor are faces; someone says "stop" finds spoken words, "loud" and "bang" find sounds by their level',
  ),
  beyond('verb', 'hear, listen', 'who hears something is not known; "siren" or "music" finds sounds'),
  beyond('noun', 'word', 'words are found where they are spoken: someone says "stop"'),
  beyond('noun', 'volume', 'the level of audio is searched, not measured: "loud", "bang" and "silence" can be found'),
  beyond(
    'verb',
    'change lane, change lanes, merge, merge into, drift, yield, give way, jaywalk, run a stop sign, skid, swerve into, lane split, weave, double park, hydroplane',
    'lane markings, signs and traffic rules are not recognized',
  ),
  beyond(
    'noun',
    'lane change, lane departure, lane crossing, traffic violation, driving violation, violation, red light violation, jaywalker, illegal parking, u turn, cut off',
    'lane markings, signs and traffic rules are not recognized',
  ),
  beyond(
    'none',
    'speeding, brake light, brake lights, turn signal, turn signals, indicator, headlight, headlights, hazard lights, high beam, high beams, lane marking, lane markings, speed limit, mph zone, km/h zone, kmh zone, kph zone, mph limit',
    'lamps, markings and limits are not recognized',
  ),
  beyond('noun', 'following distance, headway, time gap', 'how far behind one is in time is not measured'),
  beyond(
    'noun',
    'road sign, traffic sign, speed limit sign, warning sign, yield sign, sign, billboard, traffic cone, cone, barrier, guardrail, guard rail, barricade',
    NO_CLASS,
  ),
  beyond(
    'noun',
    'fire, smoke, flame, spark, steam, explosive, flood, puddle, leak, spill, debris, ice, rock, mud, dust',
    NOT_RECOGNIZED,
  ),
  beyond(
    'none',
    'raining, rainy, snow, snowing, snowy, fog, foggy, weather, sunny, sunset, sunrise, dusk, dawn, twilight, cloudy, wind, windy, storm, sun, cloud, clouds, shadow, shadows, reflection, reflections, wet, dry, icy',
    NO_WEATHER,
  ),
  beyond('noun', 'gun, weapon, pistol, rifle, hammer, tool, drill, saw, axe, stick, rope', NO_CLASS),
  beyond(
    'noun',
    'helmet, hard hat, hardhat, mask, face mask, glove, glasse, sunglasse, hat, cap, shoe, boot, scarf, belt, seat belt, seatbelt, wristwatch, a watch, the watch, ppe, hi vis, high vis, hi viz, high visibility',
    `${REASONS.clothing} ("person in red")`,
  ),
  beyond(
    'noun',
    'package, parcel, box, cardboard box, crate, carton, pallet, container, barrel, trash can, garbage bin, bin, cart, shopping cart, trolley, stroller, pram, wheelchair, crutch, cane, ladder, basket, bucket, tray, plate, pan, pot, lid, jar, can, towel, cloth, block, cube, toy, pepper, eggplant, corn, tomato, potato, lemon, cheese, bread, egg, pen, pencil, paper, card, key, lock, screw, wire, cable, pipe, brick, drawer, cabinet, cupboard, lamp, light bulb, lightbulb, button, switch, handle, wheel, tire, tyre, mirror, windshield, windscreen, license plate, licence plate, number plate, flag, statue, tent, drone in the sky, balloon, candle, speaker, microphone, headphone, tablet, printer, server, fan, heater, tree, bush, branch, leaf, flower, mountain, hill, river, tower, crane, fence, post, pole, tarp',
    NO_CLASS,
  ),
  beyond(
    'noun',
    'forklift, fork lift, pallet jack, pallet truck, excavator, bulldozer, tractor, trailer, digger, golf cart, segway, scooter, e scooter, rickshaw, tuk tuk, camper, caravan, rv, tank, machine, conveyor, conveyor belt',
    NO_CLASS,
  ),
  {
    phrases: 'robot arm, robotic arm, gripper, manipulator, arm, end effector, cobot',
    inflection: 'noun',
    senses: [{ type: 'beyond', reason: NOT_A_ROBOT, verb: false, robot: true }],
    group: 'beyond',
  },
  {
    phrases: 'robot, amr, agv, humanoid, bot, delivery robot, delivery bot, mobile robot, rover',
    inflection: 'noun',
    senses: [{ type: 'beyond', reason: NOT_A_ROBOT, verb: false, robot: true, drives: true }],
    group: 'beyond',
  },
  beyond(
    'noun',
    'police officer, policeman, officer, cop, firefighter, doctor, nurse, soldier, security guard, guard, waiter, chef, thief, burglar, robber, shoplifter, criminal, suspect, celebrity, owner, family, friend, mother, father, paramedic, construction worker, delivery person, delivery man, delivery driver, mailman, courier, referee',
    'the detector knows persons, not who they are: ask "person" to see all of them',
  ),
  beyond(
    'noun',
    'face, hand, head, leg, foot, finger, eye, hair, body, expression, emotion, gaze',
    'the detector knows whole persons only',
  ),
  beyond(
    'none',
    ['lens', 'camera', 'windscreen']
      .flatMap((pane) => [
        ...['dirty', 'smudged', 'scratched', 'fogged up', 'foggy'].flatMap((dirty) => [
          `${pane} ${dirty}`,
          `${dirty} ${pane}`,
        ]),
        ...['dirt', 'dust', 'raindrops', 'a smudge'].map((dirt) => `${dirt} on ${pane}`),
      ])
      .join(', '),
    'dirt on the lens cannot be distinguished from the scene; try "camera covered" or "picture blurred"',
  ),
  beyond(
    'none',
    'text, letters, subtitle, subtitles, caption text, logo, brand, watermark, number on, digits',
    'text is looked for on its own: "a sign that says STOP", "the word EXIT appears", "any text"',
  ),
  beyond(
    'none',
    'intrusion, trespassing, perimeter breach, breach, unusual, suspicious, abnormal, anomaly, anomalies, anomalous, strange, weird, unsafe, incident, incidents, hazard, hazards, danger, dangerous, emergency, risk, risky, problem, problems, failure, failures, error, errors, success, successful, successfully, wrong, bad, good, illegal, illegally, theft, robbery, burglary, crime, vandalism, violence, violent, fighting, distracted, drunk, tired, angry, happy, sad, edge case, edge cases, mistake, mistakes, unexpected, fails, fail, failed, succeeds',
    'this is a judgment; name what can be seen, heard or measured',
  ),
  beyond(
    'none',
    'on its side, on its back, on their side, upside down, upright',
    'the orientation of objects cannot be detected',
  ),
  beyond(
    'verb',
    'run stop sign, run light, run lights, jump light',
    'whether a traffic rule is broken cannot be detected; "stop" finds where the vehicle stands',
  ),
  beyond(
    'none',
    'rush hour, peak hour, rush hours, peak hours',
    'times of day are not known; "more than 10 cars" finds dense traffic',
  ),
  beyond(
    'none',
    'shots, shot length, shot duration, shot count',
    'shots are not listed; "cuts" finds where they change',
  ),
  beyond(
    'none',
    'lost frames, dropped frames, missing frames, frame drops, dropped frame, stutter, stutters, stuttering',
    'lost frames cannot be detected; "frozen picture" finds still intervals',
  ),
  beyond(
    'none',
    'tailgating through, tailgates through, tailgate through, tailgating into, tailgates into, piggybacking, piggybacks',
    'who was let in is not known here; "a person follows another person" finds candidates',
  ),
  beyond(
    'none',
    'wipe transition, slow motion, time lapse, split screen',
    'cuts, dissolves and fades to black are found, other transitions are not',
  ),
  beyond(
    'verb',
    'stop and go, stop start, chase, run after another, run after someone, run after somebody, flee, escape, hide, sneak, climb over, hesitate, limp, stagger, queue, line up, spin, tumble, overturn, roll over, flip over, play, work, exercise, sleep, read, search through, inspect, shop, pay, deliver, board, alight',
    'this is not detected; presence, motion, stopping, entering and leaving can be found',
  ),
  beyond(
    'none',
    'why, because, explain, reason, how bright, how dark, how fast, how far, how tall, how big, how old, predict, would have, blame, fault, distance between, distance to, median, percentage, percent of, fraction of, as many, as much, ratio, rate of, trend, how much of, minimum number of, lowest number of, smallest number of, least number of, fewest, least busy, least crowded',
    'this cannot be answered from what is observed',
  ),
  beyond(
    'none',
    'few, very few, hardly any, barely any, scarcely any',
    'how few are meant is not known; write a number, as in "at most 2 people"',
  ),
  beyond(
    'none',
    'exclude, ignore, ignoring, nothing but, no vehicle but, no vehicles but, nobody but, no one but, skip, skipping',
    REASONS.noExclusion,
  ),
  beyond(
    'none',
    [
      'picture',
      'photo',
      'photograph',
      'image',
      'drawing',
      'painting',
      'portrait',
      'poster',
      'statue',
      'sculpture',
      'model',
      'figurine',
      'sketch',
      'cartoon',
      'reflection',
      'shadow',
    ]
      .map((image) => `${image} of`)
      .join(', '),
    'real objects cannot be distinguished from images of them',
  ),
  beyond(
    'none',
    'what time is it, what time was it, what day is it, what date is it, what year is it, who is driving, who was driving, who drives, who is driver, who was driver, who is this, who is that, who is he, who is she, who are they, who driving, who made, who made this, who is woman, who is man, who is person, who is guy, who is lady, what kind of, what type of, what sort of, which kind of, which type of, what brand, which brand, what make, what model',
    'this is not among what can be observed',
  ),
];
