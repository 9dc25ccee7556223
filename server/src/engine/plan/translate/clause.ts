import { createCursor, meaningOf, numberOf } from './cursor.ts';
import { type NounPhrase, readNounPhrase } from './noun-phrase.ts';
import type { ForeignItem, Meaning, WordRole } from './types.ts';

/** The parts of a clause; every word of it belongs to exactly one of them. */
export type ForeignClause = {
  ask: string | null;
  subject: NounPhrase | null;
  /** "Near a car". `early`: before the verb. */
  relation: { english: string; other: NounPhrase; early: boolean } | null;
  action: string | null;
  /** Prepositional phrases: "on the left", "to the left", "from the left". */
  where: string | null;
  setting: string | null;
  /** "For more than 10 seconds". */
  duration: string | null;
};

const isAmbiguous = ({ role }: Meaning) => role === 'ambiguous';

/** The words of a clause that cannot be read, and why. */
export type Unread = { words: string; reason: string };

const UNKNOWN = 'it is not among the words that are read';
const SEVERAL = 'more than one of this kind in a clause is not read';
const WORN = 'clothes are only read as what somebody wears';
const SIDE = 'it may mean the side or the direction';

/** Verbs for which "left" may be where it happens or where it leads. */
const MOTION = new Set(['move', 'walk', 'run', 'drive', 'fly', 'enter', 'leave', 'start moving', 'cross', 'come in']);
/** Relations to what somebody wears. */
const WEARING = new Set(['in', 'with']);
/** Verbs that a setting may follow: "enters the room". */
const WITH_SETTING = new Set(['enter', 'leave', 'cross']);

/** Reads a clause of which every word has to be understood. */
export function readClause(items: readonly ForeignItem[]): ForeignClause | Unread {
  const cursor = createCursor(items);
  const clause: ForeignClause = {
    ask: null,
    subject: null,
    relation: null,
    action: null,
    where: null,
    setting: null,
    duration: null,
  };
  let side: { english: string; item: ForeignItem } | null = null;
  let afterNoun = false;
  const unread = (reason: string, item = cursor.next()!): Unread => ({ words: item.text, reason });
  const has = (role: WordRole) => meaningOf(cursor.next(), role) !== null;

  const gap = items.find((item) => item.meanings.length === 0 && numberOf(item) === null);
  if (gap !== undefined) return unread(UNKNOWN, gap);
  const ambiguous = items.find(({ meanings }) => meanings.length > 0 && meanings.every(isAmbiguous));
  if (ambiguous !== undefined) return unread(ambiguous.meanings[0]!.english, ambiguous);

  while (cursor.next() !== undefined) {
    const item = cursor.next()!;
    const relation = cursor.take('relation');
    if (relation !== null) {
      const other = readNounPhrase(cursor);
      if (other === null || clause.relation !== null || clause.subject === null) return unread(SEVERAL, item);
      if (other.isGarment && !WEARING.has(relation.english)) return unread(WORN, items[cursor.at - 1]);
      clause.relation = { english: relation.english, other, early: clause.action === null };
      continue;
    }
    const duration = readDuration();
    if (duration !== null) {
      if (clause.duration !== null) return unread(SEVERAL, item);
      clause.duration = duration;
      continue;
    }
    const nounPhrase = readNounPhrase(cursor);
    if (nounPhrase !== null) {
      if (clause.subject !== null) return unread(SEVERAL, item);
      if (nounPhrase.isGarment) return unread(WORN, items[cursor.at - 1]);
      clause.subject = nounPhrase;
      afterNoun = true;
      // "The car's left", in Chinese.
      if (has('linker')) return unread('a genitive is not read');
      continue;
    }
    const isBehindNoun = afterNoun;
    afterNoun = false;
    const ask = cursor.take('ask');
    if (ask !== null) {
      if (clause.ask !== null) return unread(SEVERAL, item);
      clause.ask = ask.english;
      cursor.take('measure');
      continue;
    }
    const found = cursor.take('side');
    if (found !== null) {
      if (side !== null || clause.where !== null) return unread(SEVERAL, item);
      side = { english: found.english, item };
      continue;
    }
    const where = readWhere();
    if (where !== null) {
      if (side !== null || clause.where !== null) return unread(SEVERAL, item);
      clause.where = where;
      continue;
    }
    const action = cursor.take('action');
    if (action !== null) {
      if (clause.action !== null) return unread(SEVERAL, item);
      clause.action = action.english;
      continue;
    }
    const setting = cursor.take('setting');
    if (setting !== null) {
      if (clause.setting !== null) return unread(SEVERAL, item);
      clause.setting = setting.english;
      continue;
    }
    if (isBehindNoun && cursor.take('relative') !== null) continue;
    if (cursor.take('filler') !== null) continue;
    if (cursor.at > 0 && meaningOf(items[cursor.at - 1], 'noun') === null && cursor.take('linker') !== null) continue;
    return unread('its place in the sentence is not read');
  }
  return finish();

  /** A place, a direction, or a way: "from the left to the right". */
  function readWhere(): string | null {
    const origin = cursor.take('origin');
    if (origin === null) return (cursor.take('place') ?? cursor.take('direction'))?.english ?? null;
    const direction = cursor.take('direction');
    return direction === null ? origin.english : `${origin.english} ${direction.english}`;
  }

  function readDuration(): string | null {
    const start = cursor.at;
    cursor.take('lasting');
    const compare = cursor.take('compare');
    cursor.take('lasting');
    const value = numberOf(cursor.next());
    const unit = value === null ? null : meaningOf(items[cursor.at + 1], 'unit');
    if (value === null || unit === null) {
      cursor.at = start;
      return null;
    }
    cursor.at += 2;
    return `for ${compare === null ? '' : `${compare.english} `}${value} ${unit.english}`;
  }

  function finish(): ForeignClause | Unread {
    const { action } = clause;
    if (clause.setting !== null && (action === null || !WITH_SETTING.has(action)))
      return { words: clause.setting, reason: 'places of the world are not recognized' };
    if (action === 'turn') {
      const towards = /\b(left|right)$/.exec(side?.english ?? clause.where ?? '')?.[1];
      clause.where = towards ?? clause.where;
      return clause.where !== null && towards === undefined ? { words: clause.where, reason: SEVERAL } : clause;
    }
    if (side !== null) {
      if (action !== null && MOTION.has(action)) return { words: side.item.text, reason: SIDE };
      clause.where = `on the ${side.english}`;
    }
    return clause;
  }
}
