import type { FactPatterns } from './types.ts';

/** Words for the lamps of a traffic light, as parts of regular expressions. `C` stands for the color. */
type LightWords = {
  language: string;
  colors: { red: string; yellow: string; green: string };
  turns: string[];
  isLit: string[];
  whenTurns: string[];
  whenLit: string[];
  howLongLit: string[];
  /** Without a color: red is meant. */
  howLongWaited: string[];
  waits: string[];
  runs: string[];
};

const LANGUAGES: readonly LightWords[] = [
  {
    language: 'German',
    colors: { red: 'rot', yellow: 'gelb', green: '(?:grün|gruen)' },
    turns: ['(?:die |eine )?(?:verkehrs)?ampeln? (?:wird|werden|wurde|(?:schaltet|springt|wechselt)(?: um)? auf) C'],
    isLit: [
      '(?:die |eine )?(?:verkehrs)?ampeln? (?:ist|war|zeigt|steht auf) C',
      '(?:ist|war) die (?:verkehrs)?ampel C',
    ],
    whenTurns: ['wann (?:wird|wurde|(?:schaltet|springt|wechselt)) die (?:verkehrs)?ampel (?:auf )?C'],
    whenLit: ['wann (?:ist|war) die (?:verkehrs)?ampel C'],
    howLongLit: ['wie lange? (?:ist|war|bleibt|blieb) die (?:verkehrs)?ampel C'],
    howLongWaited: [
      'wie lange? (?:warten|warteten|stehen|standen) wir an der roten ampel',
      'wie lange? (?:haben|sind) wir an der roten ampel (?:gewartet|gestanden)',
    ],
    waits: ['(?:wir )?(?:warten|halten|stehen) (?:wir )?an (?:einer|der) roten ampel'],
    runs: [
      '(?:wir )?(?:fahren|fuhren) (?:wir )?(?:über|bei) (?:eine |die )?rote? (?:über die )?ampel',
      '(?:wir )?überfahren (?:wir )?(?:eine|die) rote ampel',
    ],
  },
  {
    language: 'French',
    colors: { red: 'rouges?', yellow: '(?:oranges?|jaunes?)', green: 'verts?' },
    turns: ['(?:le|les|un) feux?(?: tricolores?| de circulation)? (?:passe|passent|devient|deviennent) (?:au )?C'],
    isLit: ['(?:(?:le|les|un) )?feux?(?: tricolores?| de circulation)?(?: est| sont| était)?(?: au)? C'],
    whenTurns: ['quand (?:est-ce que )?le feu (?:passe|devient)(?:-t-il)? (?:au )?C', 'quand le feu passe-t-il au C'],
    whenLit: ['quand (?:est-ce que )?le feu est(?:-il)? (?:au )?C'],
    howLongLit: ['combien de temps (?:est-ce que )?le feu (?:est|reste)(?:-t-il|-il)? (?:au )?C'],
    howLongWaited: ['combien de temps (?:avons-nous attendu|attendons-nous|on attend) au feu rouge'],
    waits: ["(?:nous attendons|nous nous arrêtons|on attend|on s'arrête) (?:au|à un) feu rouge"],
    runs: ['(?:nous (?:grillons|brûlons)|on (?:grille|brûle)) (?:un|le) feu rouge'],
  },
  {
    language: 'Spanish',
    colors: { red: 'roj[oa]s?', yellow: '(?:amarill[oa]s?|ámbar)', green: 'verdes?' },
    turns: ['(?:el|los|un) semáforos? (?:(?:se pone|se ponen|cambia|cambian|pasa|pasan) (?:en |a )?)C'],
    isLit: ['(?:(?:el|los|un) )?semáforos? (?:(?:está|están|estaba) )?en C', '(?:el|un) semáforo (?:está|estaba) C'],
    whenTurns: [
      'cuándo (?:se pone|cambia|pasa) (?:en |a )?C el semáforo',
      'cuándo (?:se pone|cambia|pasa) el semáforo (?:en |a )?C',
    ],
    whenLit: ['cuándo está (?:el semáforo )?(?:en )?C(?: el semáforo)?'],
    howLongLit: ['cuánto tiempo (?:está|estuvo) (?:el semáforo )?(?:en )?C(?: el semáforo)?'],
    howLongWaited: ['cuánto tiempo (?:esperamos|esperábamos|hemos esperado) en el semáforo(?: en)? rojo'],
    waits: ['(?:esperamos|paramos|nos paramos) en (?:un|el) semáforo(?: en)? rojo'],
    runs: ['(?:nos saltamos|pasamos) (?:un|el) semáforo en rojo'],
  },
  {
    language: 'Chinese',
    colors: { red: '红', yellow: '黄', green: '绿' },
    turns: ['(?:红绿灯|交通灯|信号灯|灯)(?:变成|变为|变|转)C(?:灯|色)?了?', '变C灯了?'],
    isLit: ['C灯', '(?:红绿灯|交通灯|信号灯)是C(?:色|灯)?的?'],
    whenTurns: ['(?:红绿灯|交通灯|信号灯|灯)?什么时候变C灯?'],
    whenLit: ['什么时候是C灯'],
    howLongLit: ['C灯(?:持续|亮)?(?:了)?多久'],
    howLongWaited: ['(?:我们)?等红灯等?了?多久'],
    waits: ['(?:我们)?(?:在)?等红灯'],
    runs: ['(?:我们)?闯红灯'],
  },
];

/** Whole prompts about the lamps of traffic lights, with the English prompt for the same. */
export const LIGHT_QUESTIONS: readonly FactPatterns[] = LANGUAGES.map(({ language, colors, ...words }) => ({
  language,
  video: '',
  facts: {
    ...Object.fromEntries(
      Object.entries(colors).flatMap(([color, form]) => {
        const of = (patterns: readonly string[]) => patterns.map((pattern) => pattern.replaceAll('C', form));
        return [
          [`the traffic light turns ${color}`, of(words.turns)],
          [`the traffic light is ${color}`, of(words.isLit)],
          [`when does the traffic light turn ${color}`, of(words.whenTurns)],
          [`when is the traffic light ${color}`, of(words.whenLit)],
          [`how long is the traffic light ${color}`, of(words.howLongLit)],
        ];
      }),
    ),
    'how long did we wait at the red traffic light': words.howLongWaited,
    'we wait at a red traffic light': words.waits,
    'we run a red traffic light': words.runs,
  },
}));
