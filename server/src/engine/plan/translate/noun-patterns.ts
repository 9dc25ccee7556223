import { inflectEnglish } from '../english/inflect.ts';
import { germanComparisons } from '../german/comparisons.ts';
import { lazy } from '../lazy.ts';
import type { ForeignLexicon } from './lexicon.ts';
import { toPlainPrompt } from './plain-prompt.ts';
import { translatePrompt } from './translate.ts';
import type { NounPatterns } from './types.ts';

const LANGUAGES = [germanComparisons];
/** Longest noun phrase, in words. */
const MAX_WORDS = 5;
const SLOT = /NOUN|KIND|PLURAL|COLOR|CHANNEL|VALUE/g;

const getPatterns = lazy(() =>
  LANGUAGES.flatMap((source) =>
    Object.entries(source.patterns).flatMap(([to, forms]) =>
      forms.map((form) => ({
        source,
        to,
        slots: form.match(SLOT) ?? [],
        pattern: new RegExp(`^${form.replaceAll(SLOT, '(\\S+(?: \\S+)*?)')}$`, 'iu'),
      })),
    ),
  ),
);

/** The English prompt for a comparison, its nouns translated by the lexicon; null for any other prompt. */
export function translateNouns(
  query: string,
  lexicons: readonly ForeignLexicon[],
): { language: string; to: string } | null {
  const plain = toPlainPrompt(query);
  if (plain === null) return null;
  for (const { source, to, slots, pattern } of getPatterns()) {
    const found = pattern.exec(plain);
    if (!found) continue;
    const lexicon = lexicons.find((each) => each.language.name === source.language)!;
    const nouns = slots.map((slot, at) => {
      const text = found[at + 1]!;
      if (slot === 'CHANNEL') return channelOf(text, source);
      if (slot === 'COLOR') return colorOf(text, lexicon);
      return slot === 'VALUE' ? numberOf(text, source) : translateNoun(text, slot, lexicon);
    });
    if (nouns.every((noun) => noun !== null))
      return { language: source.language, to: to.replace(/\$(\d)/g, (_, at: string) => nouns[Number(at) - 1]!) };
  }
  return null;
}

function translateNoun(text: string, slot: string, lexicon: ForeignLexicon): string | null {
  if (text.split(' ').length > MAX_WORDS) return null;
  if (slot === 'NOUN') {
    const color = colorOfOne(text, lexicon);
    if (color !== null) return `the ${color} one`;
  }
  const [part, ...others] = translatePrompt(text, lexicon);
  if (!part || !('to' in part) || others.length > 0) return null;
  const [, article, noun] = /^(an? |the )?(.+)$/.exec(part.to)!;
  if (slot === 'NOUN') return article ? part.to : null;
  if (slot === 'KIND') return noun!;
  return article ? pluralOf(noun!) : noun!;
}

/** "Das blaue": the blue one. */
function colorOfOne(text: string, lexicon: ForeignLexicon): string | null {
  const [article, adjective, ...others] = text.toLowerCase().split(' ');
  const isThe = formsOf(lexicon.language.roles.article?.the).includes(article!);
  return isThe && adjective !== undefined && others.length === 0 ? colorOf(adjective, lexicon) : null;
}

const colorOf = (text: string, { language }: ForeignLexicon): string | null => named(text, language.roles.color ?? {});

/** A name such as "battery_voltage" stays as it is. */
const channelOf = (text: string, { channels }: NounPatterns): string | null =>
  /^[a-z]\w*_\w+$/i.test(text) ? text : named(text, channels);

/** "11,5 Volt" is "11.5 V". */
function numberOf(text: string, { units }: NounPatterns): string | null {
  const [, number, unit] = /^(-?\d{1,9}(?:[.,]\d{1,9})?) ?(\D*)$/.exec(text) ?? [];
  if (number === undefined) return null;
  const english = unit === '' ? '' : named(unit!, units);
  return english === null ? null : `${number.replace(',', '.')} ${english}`.trim();
}

const named = (text: string, names: Readonly<Record<string, string>>): string | null =>
  Object.entries(names).find(([, forms]) => formsOf(forms).includes(text.toLowerCase()))?.[0] ?? null;

const formsOf = (forms: string | undefined): string[] => forms?.split(', ') ?? [];

function pluralOf(noun: string): string {
  const words = noun.split(' ');
  const last = inflectEnglish(words.at(-1)!, 'noun').at(-1)!;
  return [...words.slice(0, -1), last].join(' ');
}
