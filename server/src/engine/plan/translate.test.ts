import { describe, expect, it } from 'vitest';
import { isBlocked } from './blocked-search.ts';
import { chinese } from './chinese/index.ts';
import { CHINESE } from './fixtures/chinese-prompts.fixture.ts';
import { FRENCH } from './fixtures/french-prompts.fixture.ts';
import { GERMAN } from './fixtures/german-prompts.fixture.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { PROMPTS } from './fixtures/prompts.fixture.ts';
import { SPANISH } from './fixtures/spanish-prompts.fixture.ts';
import { STRICT } from './fixtures/strict.fixture.ts';
import { TEAMS } from './fixtures/teams.fixture.ts';
import { french } from './french/index.ts';
import { german } from './german/index.ts';
import { createPlanner, type Plan } from './index.ts';
import { spanish } from './spanish/index.ts';
import { buildForeignLexicon } from './translate/lexicon.ts';
import { translatePrompt } from './translate/translate.ts';

const planner = createPlanner();
const isRefused = (plan: Plan) => plan.searches.every(isBlocked);
const LANGUAGES = [german, spanish, french, chinese];
const COCO =
  'person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light, fire hydrant, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard, sports ball, kite, baseball bat, baseball glove, skateboard, surfboard, tennis racket, bottle, wine glass, cup, fork, knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hot dog, pizza, donut, cake, chair, couch, potted plant, bed, dining table, toilet, tv, laptop, mouse, remote, keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, book, clock, vase, scissors, teddy bear, hair drier, toothbrush'.split(
    ', ',
  );

describe.each(Object.entries({ GERMAN, SPANISH, FRENCH, CHINESE }))('%s', (_language, prompts) => {
  it.each(prompts)('%s: %s', (prompt, expected) => {
    const plan = planner.planQuery(prompt);
    if (expected === 'refused') expect(isRefused(plan), summarizePlan(plan)).toBe(true);
    else expect(summarizePlan(plan)).toBe(expected);
    expect(planner.checkPlan(plan)).toBe(plan);
  });
});

describe.each(LANGUAGES)('the lexicon of $name', (language) => {
  const { roles } = language;
  const lexicon = buildForeignLexicon(language);
  const toEnglish = (word: string) => {
    const [translation] = translatePrompt(word, lexicon);
    return translation && 'to' in translation ? translation.to : '';
  };
  const formsOf = (forms: string) => forms.split(/[|,]/).map((form) => form.trim());

  it('has every class of the detector, in every form', () => {
    const classes = new Set<string>();
    for (const [english, forms] of Object.entries(roles.noun!)) {
      // Its own word is no subject in English.
      if (english === 'the camera') continue;
      for (const form of formsOf(forms).filter(Boolean)) {
        const { searches } = planner.planQuery(toEnglish(form));
        const { what } = searches[0]!.steps[0]!;
        expect(searches.some(isBlocked), `${form}: ${english}`).toBe(false);
        if (what.kind === 'object') for (const name of what.subject.classes) classes.add(name);
      }
    }
    expect([...classes].toSorted()).toEqual(COCO.toSorted());
  });

  it('has colors and actions that the English rules read', () => {
    for (const color of Object.keys(roles.color!))
      expect(planner.planQuery(`a ${color} car`).searches.some(isBlocked), color).toBe(false);
    const ofOthers = new Set(['turn', 'pan', 'brake']);
    for (const action of Object.keys(roles.action!).filter((verb) => !ofOthers.has(verb))) {
      const subject = action === 'overtake us' ? 'two cars' : 'two people';
      expect(planner.planQuery(`${subject} ${action}`).searches.some(isBlocked), action).toBe(false);
    }
  });
});

describe('the language of a prompt', () => {
  it.each([
    ['człowiek wchodzi do pokoju', 'Polish'],
    ['een rode auto stopt', 'Dutch'],
    ['um carro vermelho para', 'Portuguese'],
    ['uma pessoa entra na sala', 'Portuguese'],
    ['una macchina rossa si ferma', 'Italian'],
    ['kırmızı bir araba duruyor', 'Turkish'],
    ['egy piros autó megáll', 'Hungarian'],
    ['красная машина остановилась', 'Russian'],
    ['赤い車が止まる', 'Japanese'],
    ['빨간 차가 멈춘다', 'Korean'],
    ['سيارة حمراء تتوقف', 'Arabic'],
  ])('%s is refused as %s', (prompt, name) => {
    const plan = planner.planQuery(prompt);
    expect(isRefused(plan)).toBe(true);
    expect(plan.language).toBe(name);
    expect(plan.searches[0]!.steps[0]!.unchecked[0]!.reason).toBe(
      `this prompt seems to be in ${name}, which is not read without a language model`,
    );
  });

  it('is English for English prompts', () => {
    const others = new Set(['ein rotes Auto fährt vorbei', 'casa']);
    const groups = [...Object.values(TEAMS), ...Object.values(STRICT)];
    const prompts = [PROMPTS, ...groups].flat().map(([prompt]) => prompt);
    for (const prompt of [...prompts, 'vehcile stoping', 'pesron runing acros', 'main', 'chat room', 'forklift'])
      if (!others.has(prompt)) expect(planner.planQuery(prompt).language, prompt).toBeUndefined();
  });

  it('is named in the reason for a word that is not known', () => {
    const [step] = planner.planQuery('ein Auto hält nicht an').searches[0]!.steps;
    expect(step!.unchecked).toEqual([
      {
        text: 'nicht',
        reason: 'it is not among the words that are read, of a prompt that seems to be in German',
        blocks: true,
      },
    ]);
  });
});

describe('a rewritten prompt', () => {
  it('has the words of the prompt and the English that was read', () => {
    const plan = planner.planQuery('ein rotes Auto hält an, Schlaglöcher');
    expect(plan).toMatchObject({
      query: 'ein rotes Auto hält an, Schlaglöcher',
      language: 'German',
      reader: 'lexicon',
      rewritten: [{ from: 'ein rotes Auto hält an', to: 'a red car stops' }],
    });
    expect(plan.searches.map(({ text }) => text)).toEqual(['ein rotes Auto hält an', 'Schlaglöcher']);
    expect(plan.searches.map(isBlocked)).toEqual([false, true]);
  });

  it('is bounded for hostile input', () => {
    for (const piece of ['ein Auto hält an und ', '一辆汽车停下，', 'coche ', 'à ', 'ß', '人']) {
      const plan = planner.planQuery(piece.repeat(5000));
      expect(planner.checkPlan(plan)).toBe(plan);
    }
  });
});
