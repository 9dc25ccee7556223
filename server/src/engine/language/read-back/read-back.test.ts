import { describe, expect, it } from 'vitest';
import { startCpuTimer } from '#test/cpu-time';
import { RELATED_WORDS } from '../../plan/english/related-words.generated.ts';
import { createPlanner, findRelatedWords, isBlocked } from '../../plan/index.ts';
import { readEnglishBack } from './english.ts';
import { findForeignFault } from './foreign.ts';
import { isNegated } from './negation.ts';

const planner = createPlanner();
const readBack = (from: string, to: string) => readEnglishBack(from, to, planner.planEnglish);

describe('the table of related words', () => {
  it.each([
    ['whippets', 'dogs', false],
    ['jalopy', 'car', false],
    ['geezer', 'person', false],
    ['autobus', 'bus', true],
    ['trudged', 'walked', false],
    ['scurries', 'runs', false],
    ['pulls up short', 'stops', false],
  ])('%s: %s', (phrase, word, isSame) => {
    expect(findRelatedWords(phrase)).toContainEqual({ word, isSame });
  });

  it.each(['zeppelin', 'helicopter', 'hat', 'the', 'dog', 'toy', 'sing', 'juggles'])('has nothing for %s', (word) => {
    expect(findRelatedWords(word)).toEqual([]);
  });

  it('leads to words that the rules read', () => {
    const isRead = (prompt: string) => !planner.planEnglish(prompt).searches.some(isBlocked);
    // Colors are nouns in the dictionary, too.
    for (const { head } of RELATED_WORDS.noun)
      expect([head, isRead(head) || isRead(`a ${head} car`)]).toEqual([head, true]);
    for (const { head } of RELATED_WORDS.verb) {
      const prompts = [`people ${head}`, `people ${head} a car`, `people ${head} the street`, `the car ${head}s`];
      expect([head, prompts.some(isRead)]).toEqual([head, true]);
    }
  });
});

describe('English words', () => {
  it.each([
    ['a whippet scampers leftwards', 'a dog runs to the left', 'a dog runs leftwards'],
    ['the jalopy conks out on the shoulder', 'a car stops', 'the car stops on the shoulder'],
    ['some geezer moseys into shot', 'a person enters', 'some person walks into shot'],
    ['no whippets', 'no dogs', 'no dogs'],
    ['how many roadsters are there', 'how many cars are there?', 'how many cars are there'],
  ])('%s: read as %s', (from, to, text) => {
    expect(readBack(from, to)?.text).toBe(text);
  });

  it.each([
    ['another thing', 'a zeppelin', 'a person'],
    ['a wider group', 'a zeppelin', 'a vehicle'],
    ['anything', 'a zeppelin', 'an object'],
    ['another kind', 'a whippet', 'a cat'],
    ['another color', 'a red roadster', 'a blue car'],
    ['another number', 'three whippets', 'two dogs'],
    ['no number', 'three whippets', 'a dog'],
    ['another action', 'a whippet trudges', 'a dog stops'],
    ['no negation', 'no whippets', 'dogs'],
    ['a negation', 'whippets', 'no dogs'],
    ['less', 'a whippet near a zeppelin', 'a dog'],
    ['more', 'a whippet', 'a dog near a bench'],
    ['a duration', 'a whippet stands', 'a dog stands for more than 10 seconds'],
    ['another limit', 'a whippet stands for more than 10 seconds', 'a dog stands for less than 10 seconds'],
    ['another side', 'a whippet comes in from the left', 'a dog enters from the right'],
    ['the other way round', 'a whippet follows a bloke', 'a person follows a dog'],
    ['a word that the rules refuse', 'a toy roadster', 'a car'],
    ['another question', 'how many whippets', 'when is there a dog?'],
  ])('do not say %s: %s, %s', (_name, from, to) => {
    expect(readBack(from, to)).toBeNull();
  });

  it('are read within limits', () => {
    const spentMs = startCpuTimer();
    expect(readBack('whippet roadster plumber scurries '.repeat(50), 'a dog')).toBeNull();
    expect(spentMs()).toBeLessThan(10_000);
  });
});

describe('words of other languages', () => {
  const faultOf = (from: string, to: string, language: string) =>
    findForeignFault({ from, to, plan: planner.planEnglish(to), language });

  it.each([
    ['twee honden', 'two dogs', 'Dutch'],
    ['2 honden', 'two dogs', 'Dutch'],
    ['人が10秒以上立っている', 'a person stands for more than 10 seconds', 'Japanese'],
    ['人が１０秒以上立っている', 'a person stands for more than 10 seconds', 'Japanese'],
    ['شخص يقف أكثر من ١٠ ثوان', 'a person stands for more than 10 seconds', 'Arabic'],
    ['geen auto', 'no cars', 'Dutch'],
    ['車がない', 'no cars', 'Japanese'],
    ['een bord met "STOP"', 'a sign that says STOP', 'Dutch'],
  ])('%s may be %s', (from, to, language) => {
    expect(faultOf(from, to, language)).toBeNull();
  });

  it.each([
    ['een man staat 10 seconden', 'a person stands for 20 seconds', 'Dutch', 'the number 10'],
    ['een man staat', 'a person stands for 30 seconds', 'Dutch', 'the number 30'],
    ['geen auto', 'a car', 'Dutch', 'lost the negation'],
    ['een auto', 'no cars', 'Dutch', 'no negation'],
    ['in beeld is geen enkele auto', 'a car', 'Dutch', 'lost the negation'],
    ['een bord met "STOP"', 'a sign that says EXIT', 'Dutch', '"EXIT"'],
    ['een bord met "STOP"', 'a sign', 'Dutch', '"STOP"'],
    ['een lange man met een rode hoed loopt heel snel weg van de bank', 'a person moves', 'Dutch', 'too few words'],
    ['hond', 'a dog runs from the left to the right past a red car', 'Dutch', 'too many words'],
  ])('%s is not %s', (from, to, language, fault) => {
    expect(faultOf(from, to, language)).toContain(fault);
  });

  it.each([
    ['нет машин', 'Russian', true],
    ['машина', 'Russian', false],
    ['没有人', 'Chinese', true],
    ['hayır', 'Turkish', null],
    ["nobody's there", 'English', true],
    ["it doesn't stop", 'English', true],
  ])('%s in %s is negated: %s', (text, language, expected) => {
    expect(isNegated(text, language)).toBe(expected);
  });
});
