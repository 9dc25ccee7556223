import type { Entry } from '../meaning/senses.ts';
import { SIGNAL_NAMES, type SignalName, signalOf } from '../signals.ts';
import { entry, PICTURES } from './entry.ts';
import { inflectEnglish } from './inflect.ts';

const signal = entry('signals', 'none');
const signalNoun = entry('signals', 'noun');
const signalVerb = entry('signals', 'verb');

/** "picture freezes", "image is frozen", "video goes black": every phrase for a signal of the picture. */
const screens = (tails: string) =>
  [...PICTURES, 'camera', 'lens'].flatMap((s) => tails.split(', ').map((t) => `${s} ${t}`)).join(', ');
/** "lights go off", "the lamp was switched off": every phrase for a lamp that is switched. */
const lamps = (direction: string) =>
  ['light', 'lights', 'lamp', 'lamps']
    .flatMap((lamp) =>
      [
        'go',
        'goes',
        'went',
        'turn',
        'turns',
        'switch',
        'switches',
        'turned',
        'switched',
        'come',
        'comes',
        'came',
        '',
      ].map((verb) => `${lamp} ${verb} ${direction}`.replace('  ', ' ')),
    )
    .join(', ');
/** "goes blue, went blue, turns blue": each verb with each of its ends. */
const ways = (verbs: readonly string[], ends: readonly string[]) =>
  verbs
    .flatMap((verb) => inflectEnglish(verb, 'verb'))
    .flatMap((verb) => ends.map((end) => `${verb} ${end}`))
    .join(', ');
const TINTS = ['red', 'green', 'blue', 'pink', 'purple', 'yellow', 'orange'];
/** "Green screen", "the picture is blue", "too blue". */
const tinted = TINTS.flatMap((tint) => [
  `too ${tint}`,
  ...PICTURES.flatMap((p) => [`${tint} ${p}`, `${p} ${tint}`]),
]).join(', ');
const DAYLIGHT = 'daylight is looked for as a well-lit image, which lamps can produce as well';
const TUNNEL = 'a tunnel is looked for as a change of light';
const SWITCH = 'switching a lamp is detected as a change of light';

/** Words of a signal that its definition has. */
function plainEntries(name: SignalName): Entry[] {
  const { nouns, verbs, phrases } = signalOf(name).words ?? {};
  const sense = { type: 'signal', signal: name } as const;
  return [
    ...(nouns ? [signalNoun(nouns, sense)] : []),
    ...(verbs ? [signalVerb(verbs, sense)] : []),
    ...(phrases ? [signal(phrases, sense)] : []),
  ];
}

/** Signals of the whole picture. */
export const signals: readonly Entry[] = [
  ...SIGNAL_NAMES.flatMap(plainEntries),
  signal(
    `dim, low light, poorly lit, badly lit, underexposed, pitch black, too dark, too dark to see, too dark to see anything, ${screens('dark, too dark, underexposed')}`,
    { type: 'signal', signal: 'dark' },
  ),
  signal('after dark, at night, at nite, at nighttime, by night, during the night, in darkness, in the dark', {
    type: 'signal',
    signal: 'dark',
    when: true,
    leads: true,
  }),
  signal('night, nighttime, night time, darkness', { type: 'signal', signal: 'dark', when: true }),
  signal(`bright, too bright, ${screens('bright, too bright')}`, { type: 'signal', signal: 'bright' }),
  signalNoun('overexposure, over exposure, blown highlight, whiteout', { type: 'signal', signal: 'overexposed' }),
  signal(
    `overexposed, over exposed, over-exposed, washed out, blown out, sun glare, headlight glare, lens flare, glare, glaring, dazzling, dazzled, blinding, white screen, white picture, ${screens('overexposed, over exposed, washed out, blown out, white, goes white, turns white')}`,
    { type: 'signal', signal: 'overexposed' },
  ),
  signal(`well lit, well-lit, ${screens('well lit, lit')}`, { type: 'signal', signal: 'well_lit' }),
  signal('in daylight, by day, during the day', {
    type: 'signal',
    signal: 'well_lit',
    when: true,
    leads: true,
    caveat: DAYLIGHT,
    indoors: true,
  }),
  signal('daylight, daytime, day time, day', {
    type: 'signal',
    signal: 'well_lit',
    when: true,
    caveat: DAYLIGHT,
    indoors: true,
  }),
  signalVerb('get dark, get darker, become dark, become darker, turn dark, go dark, grow dark, grow darker, darken', {
    type: 'signal',
    signal: 'gets_dark',
  }),
  signal(`${lamps('off')}, ${lamps('out')}, power cut, power outage, nightfall`, {
    type: 'signal',
    signal: 'gets_dark',
    caveat: SWITCH,
  }),
  signalVerb('come back on, turn back on, switch back on', {
    type: 'signal',
    signal: 'gets_bright',
    caveat: 'looked for as a picture that gets bright',
    decides: true,
  }),
  signalVerb('go black, turn black, go blank', { type: 'signal', signal: 'black' }),
  signal('night falls, night fell, night is falling, darkness falls, darkness fell, dusk falls', {
    type: 'signal',
    signal: 'gets_dark',
  }),
  signalVerb('enter tunnel, drive into tunnel, go into tunnel', {
    type: 'signal',
    signal: 'gets_dark',
    caveat: TUNNEL,
    decides: true,
  }),
  signalVerb('exit tunnel, leave tunnel, come out of tunnel, drive out of tunnel', {
    type: 'signal',
    signal: 'gets_bright',
    caveat: TUNNEL,
    decides: true,
  }),
  signalVerb(
    'get bright, get brighter, become bright, become brighter, turn bright, grow bright, grow brighter, brighten, light up, get light, get lighter, become light, become lighter, grow light, grow lighter',
    { type: 'signal', signal: 'gets_bright' },
  ),
  signal(lamps('on'), { type: 'signal', signal: 'gets_bright', caveat: SWITCH }),
  signalNoun(
    'flash, light flash, flash of light, burst of light, sudden light, sudden bright light, camera flash, flash light, bright flash',
    {
      type: 'signal',
      signal: 'flash',
    },
  ),
  signalNoun('lightning, lightning strike, lightning flash', {
    type: 'signal',
    signal: 'flash',
    caveat: 'looked for as any flash of light; its source is not known',
    decides: true,
  }),
  signal('light flashes, lights flash, camera flashes', { type: 'signal', signal: 'flash' }),
  signalNoun(
    'light change, lighting change, brightness change, exposure change, change in light, change in brightness, change of light, change in lighting',
    { type: 'signal', signal: 'light_change' },
  ),
  signal('light changes, lighting changes, brightness changes, exposure changes, illumination changes', {
    type: 'signal',
    signal: 'light_change',
  }),
  signalVerb('flicker, strobe', { type: 'signal', signal: 'flicker' }),
  signal(
    'flickering light, flickering lights, light flickering, lights flickering, lamp flickering, lamps flickering, flashing light, flashing lights, light flickers, lights flicker, flickering picture, flickering screen, flashing, flashing images, flashing picture, flashing screen',
    { type: 'signal', signal: 'flicker' },
  ),
  signal(
    `black, blank, black screen, blank screen, black picture, black frame, black frames, black video, no picture, no image, signal loss, loss of signal, lost signal, signal lost, no signal, video loss, no video, no footage, camera offline, ${screens('lost, drops out, dropped out, black, blank, goes black, went black, turns black, turned black, goes blank')}`,
    { type: 'signal', signal: 'black' },
  ),
  signal(
    `monochrome, monochromatic, grayscale, greyscale, grey scale, gray scale, black and white picture, black and white video, black and white footage, no color, no colour, no colors, no colours, colorless, colourless, ${screens('black and white, monochrome, grayscale, greyscale, loses color, loses colour')}, ${screens(ways(['go', 'turn', 'become'], ['gray', 'grey', 'black and white', 'monochrome']))}`,
    { type: 'signal', signal: 'monochrome' },
  ),
  signal('night vision, infrared, infrared mode, night mode, ir mode', {
    type: 'signal',
    signal: 'monochrome',
    caveat: 'looked for as an image without colors',
  }),
  signalNoun(
    'color cast, colour cast, tint, color tint, colour tint, color shift, colour shift, wrong white balance, white balance error',
    {
      type: 'signal',
      signal: 'color_cast',
    },
  ),
  signal(`tinted, discolored, discoloured, ${screens('tinted, discolored, discoloured')}`, {
    type: 'signal',
    signal: 'color_cast',
  }),
  signal(`${screens(ways(['go', 'turn', 'become'], TINTS))}, ${tinted}`, {
    type: 'signal',
    signal: 'color_cast',
    caveat: 'an image of one color is looked for as one with a color cast',
  }),
  signalVerb('freeze', { type: 'signal', signal: 'frozen' }),
  signal(
    `frozen frame, frozen picture, frozen image, frozen video, freeze frame, static picture, static image, still picture, still image, ${screens('freezes, froze, stuck, hangs, frozen')}`,
    { type: 'signal', signal: 'frozen' },
  ),
  signalVerb('blur', { type: 'signal', signal: 'blurred' }),
  signal('motion blur, blur from motion', {
    type: 'signal',
    signal: 'blurred',
    caveat: 'the cause of the blur is not known',
  }),
  signal(
    `blurry, out of focus, unsharp, defocused, defocus, not sharp, not in focus, ${screens('blurry, blurred, out of focus, unsharp')}`,
    { type: 'signal', signal: 'blurred' },
  ),
  signal(
    `covered camera, blocked camera, obstructed camera, camera obstruction, lens obstruction, camera tampering, tampering, obstruction, obstructed, obstructed view, blocked view, ${screens('covered, blocked, obstructed, occluded, obscured, tampered with, covered up')}`,
    { type: 'signal', signal: 'covered' },
  ),
  signalVerb('shake, wobble, vibrate, jitter, judder', { type: 'signal', signal: 'shaking' }),
  signal(
    `shaky, jittery, unsteady, camera shake, camera shakes, camera shaking, shaky camera, shaky footage, shaky picture, vibration, vibrations, bump, bumps, bumpy, ${screens('shaking, shakes, shaky, wobbles, vibrates, jitters')}`,
    { type: 'signal', signal: 'shaking' },
  ),
  signal('motion, movement, movements, activity, any motion, any movement, motion detected, movement detected', {
    type: 'motion',
  }),
  signal(
    'nothing happens, nothing happen, nothing is happening, nothing happening, nothing happened, nothing going on, inactivity',
    {
      type: 'motion',
      negated: true,
    },
  ),
  signal('empty, deserted, clear of people, vacant, unoccupied', { type: 'empty' }),
  signal('occupied, in use', { type: 'empty', negated: true }),
];
