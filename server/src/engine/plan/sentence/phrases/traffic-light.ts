import { isBlocked } from '../../blocked-search.ts';
import {
  AFTER_LIGHT,
  BEFORE_LIGHT,
  COLOR_AFTER,
  COLOR_BEFORE,
  COLOR_FIRST,
  LIGHT_OR_LIGHTING,
  LIGHT_PATTERNS,
  WHICH_LIGHT,
} from '../../english/traffic-lights.ts';
import { REASONS } from '../../reasons.ts';
import type { LightColor, LightTarget, Plan, Step } from '../../schema.ts';
import { planOf, singleSearch } from '../../single-search.ts';
import { allowsPhrases, MAX_PHRASES, type Phrase, planWithStandIns } from './stand-in.ts';

type LightPhrase = Phrase & { what: LightTarget };

const PATTERNS = LIGHT_PATTERNS.map(({ pattern, ...each }) => ({
  ...each,
  pattern: new RegExp(`${pattern}(?![\\p{L}\\p{N}-])`, 'iuy'),
}));
/** Names that a lamp of a traffic light has besides its color. */
const COLORS: Record<string, LightColor> = {
  red: 'red',
  green: 'green',
  yellow: 'yellow',
  amber: 'yellow',
  orange: 'yellow',
};
/** An article is left to the grammar. */
const ARTICLE = /^(?:the|a|an|any|one|another) /i;

/**
 * The plan of a prompt about the lit lamp of traffic lights; null for any other, and for one of which anything but that
 * is not understood. `planOther` reads the rest of the prompt.
 */
export function planTrafficLight(query: string, planOther: (query: string) => Plan): Plan | null {
  if (!allowsPhrases(query) || !/light|signal/i.test(query)) return null;
  const plain = query.trim().replace(/[?!. ]+$/, '');
  if (LIGHT_OR_LIGHTING.test(plain)) return planBoth(query, planOther);
  if (WHICH_LIGHT.test(plain)) return planColors(query, plain);
  const phrases = findPhrases(query);
  const plan = phrases.length > 0 ? planWithStandIns(query, phrases, planOther) : null;
  return plan?.searches.every(({ steps }) => steps.every(isSearchable)) ? plan : null;
}

/** A change is a moment: there are no times of its absence. */
const isSearchable = ({ what, negated, throughout }: Step) =>
  what.kind !== 'traffic_light' || what.event === 'shows' || !(negated || throughout);

/** Both readings of "the light", each as its own search. */
function planBoth(query: string, planOther: (query: string) => Plan): Plan | null {
  const plan = planOther(query);
  const [search] = plan.searches;
  if (!search || isBlocked(search)) return null;
  const what: LightTarget = { kind: 'traffic_light', event: 'turns', color: null };
  return {
    ...plan,
    searches: [...plan.searches, { ...search, steps: search.steps.map((step) => ({ ...step, what })) }],
  };
}

/** "What color is the traffic light": every color that it shows. */
function planColors(query: string, text: string): Plan {
  return planOf(query, [singleSearch(text, { kind: 'traffic_light', event: 'shows', color: null })], 'which_color');
}

function findPhrases(query: string): LightPhrase[] {
  const phrases: LightPhrase[] = [];
  let from = 0;
  for (const { index } of query.matchAll(/(?<![\p{L}\p{N}'-])\p{L}/gu)) {
    if (index < from || phrases.length === MAX_PHRASES) continue;
    const phrase = phraseAt(query, index);
    if (!phrase) continue;
    phrases.push(phrase);
    from = phrase.end;
  }
  return phrases;
}

function phraseAt(query: string, at: number): LightPhrase | null {
  const before = query.slice(0, at);
  const isSecondColor = COLOR_BEFORE.test(before) && COLOR_FIRST.test(query.slice(at));
  if (!BEFORE_LIGHT.test(before) || isSecondColor) return null;
  for (const { event, pattern, asks, implied } of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    const after = query.slice(at + (match?.[0].length ?? 0));
    if (!match || !AFTER_LIGHT.test(after) || COLOR_AFTER.test(after)) continue;
    const { color, ask, the } = match.groups ?? {};
    const article = asks ? 0 : (ARTICLE.exec(match[0])?.[0].length ?? 0);
    const text = match[0].slice(article);
    const question = { is: '', ask: `${ask ?? 'how long'} ` };
    return {
      start: at + article,
      end: at + match[0].length,
      what: {
        ...{ kind: 'traffic_light', event, color: color ? COLORS[color.toLowerCase()]! : null },
        ...(event === 'waits' && the ? { presumed: true } : {}),
      },
      ...(asks ? { asks: { start: at, as: `${question[asks]}is there a ` } } : {}),
      ...(implied ? { unchecked: [{ text: text.slice(0, 200), reason: REASONS.readAsCarrier, blocks: false }] } : {}),
    };
  }
  return null;
}
