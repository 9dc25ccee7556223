import type { ForeignLanguage } from '../translate/types.ts';
import { nouns } from './nouns.ts';

const ENDINGS = ['e', 'er', 'es', 'en', 'em'];
/** Forms of an adjective: "rot, rote, roter, rotes, roten, rotem". */
const adjective = (...stems: string[]) =>
  stems.flatMap((stem) => ['', ...ENDINGS].map((ending) => stem + ending)).join(', ');
/** Forms of an ordinal, which has no form without an ending: "erst" is "only". */
const ordinal = (stem: string) => ENDINGS.map((ending) => stem + ending).join(', ');

const colored = (...stems: string[]) => adjective(...stems, ...stems.flatMap((s) => [`hell${s}`, `dunkel${s}`]));

export const german: ForeignLanguage = {
  name: 'German',
  code: 'de',
  spellings: (form) => [
    form.replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter]!),
    form.replaceAll('ß', 'ss'),
  ],
  roles: {
    noun: nouns,
    color: {
      red: colored('rot'),
      orange: `${adjective('orangefarben')}, orange, oranges, oranger, orangenes, orangene`,
      yellow: colored('gelb'),
      green: colored('grün'),
      blue: colored('blau'),
      purple: `${adjective('violett')}, lila`,
      pink: 'rosa, pink, pinke, pinker, pinkes, pinken',
      brown: colored('braun'),
      black: adjective('schwarz'),
      white: adjective('weiß'),
      gray: colored('grau'),
      silver: adjective('silbern', 'silberfarben'),
    },
    state: {
      parked: adjective('geparkt', 'parkend'),
      stationary: adjective('stehend', 'stillstehend', 'haltend'),
      moving: adjective('fahrend', 'bewegt'),
    },
    number: {
      2: 'zwei',
      3: 'drei',
      4: 'vier',
      5: 'fünf',
      6: 'sechs',
      7: 'sieben',
      8: 'acht',
      9: 'neun',
      10: 'zehn',
      12: 'zwölf',
      20: 'zwanzig',
      30: 'dreißig',
    },
    amount: { several: 'mehrere, mehreren, einige, einigen', many: 'viele, vielen' },
    compare: {
      'at least': 'mindestens, wenigstens',
      'at most': 'höchstens',
      'more than': 'mehr als, länger als, über',
      'less than': 'weniger als, kürzer als',
      exactly: 'genau',
    },
    article: {
      the: 'der, die, das, den, dem',
      a: 'ein, eine, einen, einem, einer',
      no: 'kein, keine, keinen, keiner, keinem',
    },
    ordinal: {
      first: ordinal('erst'),
      second: ordinal('zweit'),
      third: ordinal('dritt'),
      fourth: ordinal('viert'),
      fifth: ordinal('fünft'),
      last: ordinal('letzt'),
    },
    action: {
      enter:
        'betritt, betreten, kommt … herein, kommen … herein, hereinkommt, hereinkommen, kommt … rein, kommen … rein, reinkommt, reinkommen, tritt … ein, treten … ein, eintritt, eintreten, fährt … ein, fahren … ein, einfährt, einfahren, geht … hinein, gehen … hinein, hineingeht',
      leave: 'verlässt, verlassen, geht … hinaus, gehen … hinaus, hinausgeht, fährt … hinaus, hinausfährt',
      stop: 'hält, halten, hält … an, halten … an, anhält, anhalten, stoppt, stoppen, bleibt … stehen, bleiben … stehen, stehenbleibt, stehen bleibt, stehenbleiben, stehen bleiben',
      'start moving':
        'fährt … los, fahren … los, losfährt, losfahren, setzt sich in bewegung, setzen sich in bewegung, sich in bewegung setzt, sich in bewegung setzen, läuft … los, laufen … los, losläuft, loslaufen, geht … los, losgeht',
      turn: 'biegt … ab, biegen … ab, abbiegt, abbiegen, abbiegend',
      wait: 'wartet, warten, wartend',
      stand: 'steht, stehen',
      'stand still': 'steht still, stehen still, steht … still, stehen … still, stillsteht, stillstehen',
      sit: 'sitzt, sitzen',
      appear: 'erscheint, erscheinen, taucht … auf, tauchen … auf, auftaucht, auftauchen, kommt, kommen',
      disappear: 'verschwindet, verschwinden',
      'come back':
        'kommt … zurück, kommen … zurück, zurückkommt, zurückkommen, kehrt … zurück, kehren … zurück, zurückkehrt',
      run: 'rennt, rennen, rennend',
      pass: 'fährt … vorbei, fahren … vorbei, vorbeifährt, vorbeifahren, geht … vorbei, gehen … vorbei, vorbeigeht, vorbeigehen, läuft … vorbei, laufen … vorbei, kommt … vorbei, kommen … vorbei, fährt … durch, fahren … durch',
      walk: 'geht, gehen, spaziert, spazieren',
      'walk away': 'geht … weg, gehen … weg, weggeht, weggehen',
      'drive away': 'fährt … weg, fahren … weg, wegfährt, wegfahren',
      // "Läuft" is both walking and running.
      move: 'bewegt sich, bewegen sich, sich bewegt, sich bewegen, fährt, fahren, läuft, laufen',
      cross: 'überquert, überqueren',
      approach: 'nähert sich, nähern sich, sich nähert, sich nähern',
      park: 'parkt, parken, parkt … ein, einparkt, einparken',
      fly: 'fliegt, fliegen',
      pan: 'schwenkt, schwenken',
      brake: 'bremst, bremsen, bremst … ab, abbremst, abbremsen',
    },
    side: { left: 'links', right: 'rechts' },
    place: {
      'in front of us': 'vor uns',
      'on the left': 'auf der linken seite, am linken rand, in der linken hälfte, linke seite',
      'on the right': 'auf der rechten seite, am rechten rand, in der rechten hälfte, rechte seite',
      'on the far left': 'ganz links, am weitesten links',
      'on the far right': 'ganz rechts, am weitesten rechts',
      'in the middle': 'in der mitte',
      'at the top': 'oben',
      'at the bottom': 'unten',
      'in the top left': 'oben links, links oben',
      'in the top right': 'oben rechts, rechts oben',
      'in the bottom left': 'unten links, links unten',
      'in the bottom right': 'unten rechts, rechts unten',
      'at the door': 'an der tür, vor der tür, bei der tür, an der haustür, vor der haustür',
      'at the gate': 'am tor, vor dem tor',
      'in the store': 'im laden, im geschäft, im supermarkt',
      'in the room': 'im raum, im zimmer',
      'in the kitchen': 'in der küche',
      'in the office': 'im büro',
      'in the warehouse': 'im lager, in der halle',
      'in the yard': 'im hof, im garten',
      'on the street': 'auf der straße, auf der fahrbahn',
    },
    direction: { 'to the left': 'nach links', 'to the right': 'nach rechts' },
    origin: { 'from the left': 'von links', 'from the right': 'von rechts' },
    setting: {
      'the room': 'den raum, das zimmer, raum',
      'the picture': 'das bild',
      'the street': 'die straße, die fahrbahn',
      'the building': 'das gebäude, das haus',
    },
    relation: {
      on: 'auf',
      near: 'neben, in der nähe von, nahe bei, bei',
      with: 'mit',
      without: 'ohne',
    },
    join: { 'and then': 'dann, danach, anschließend, und dann', and: 'und', or: 'oder', while: 'während' },
    ask: {
      'how many': 'wie viele, wieviele',
      'how long': 'wie lange',
      'how often': 'wie oft',
      when: 'wann',
      where: 'wo ist, wo sind, wo war, wo waren',
    },
    unit: { seconds: 'sekunde, sekunden, s, sek', minutes: 'minute, minuten, min', hours: 'stunde, stunden' },
    lasting: { for: 'für, seit' },
    relative: { who: 'der, die, das, welcher, welche, welches' },
    filler: {
      please:
        'bitte, zeig, zeige, zeigen, mir, finde, finden, suche, suchen, such, nach, alle, allen, es, gibt, gibt es, da, ist, sind, zu sehen, sichtbar, sieht man, im video, im bild, ins bild, auf dem bild, in dem video, gerade, wo, in denen, in dem, szenen, stellen, momente, ein video, wenn',
    },
    ambiguous: {
      'it may be a bench or a bank': 'bank, bänke',
      'it may be the animal or the computer mouse': 'maus, mäuse',
      'it may mean a glass or the material': 'glas, gläser',
    },
  },
  windows: {
    'in the first $1 seconds': 'in den ersten NUMBER sekunden',
    'in the last $1 seconds': 'in den letzten NUMBER sekunden',
    'in the first $1 minutes': 'in den ersten NUMBER minuten',
    'in the last $1 minutes': 'in den letzten NUMBER minuten',
    'in the first minute': 'in der ersten minute',
    'in the last minute': 'in der letzten minute',
    'in the first half': 'in der ersten hälfte',
    'in the second half': 'in der zweiten hälfte',
    'at the beginning': '(?:am anfang|zu beginn)',
    'at the end': '(?:am ende|zum schluss)',
    'between $1 and $2': '(?:zwischen TIME und TIME|von TIME bis TIME)',
    'after $1': '(?:nach|ab) TIME',
    'before $1': '(?:vor|bis) TIME',
  },
  adverbs: {
    again: '(?:wieder|erneut|nochmals?|noch einmal)',
    'at the same time': '(?:gleichzeitig|zugleich|zur (?:selben|gleichen) zeit|auf einmal)',
  },
  conjunctions: { while: 'während', after: 'nachdem', before: 'bevor' },
  common:
    'nicht, aus, an, am, im, in, zum, zur, von, vor, hinter, unter, über, durch, gegen, um, bis, als, wie, was, wer, warum, welche, hat, haben, war, waren, wird, werden, wurde, kann, will, soll, muss, sich, auch, noch, nur, schon, sehr, wieder, gleichzeitig, größer, mehr, weniger, größte, kleinste, länger, schneller, langsamer, immer, kleine, kleiner, kleines, große, großer, großes, alte, neue, straße, jacke, hemd, tür, haus, er, sie, wir, ihr, sein, seine, ihre, des, eines, dieser, diese, dieses, jeder, jede, jedes, aber, weil, dass, ob, denn, gleiche, selbe, dieselbe, derselbe',
};
