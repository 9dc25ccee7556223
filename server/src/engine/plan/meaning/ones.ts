import type { Entity, Query } from './types.ts';

type ObjectEntity = Entity & { readonly head: Extract<Entity['head'], { type: 'object' }> };

/**
 * The query with what "one" stands for: "does the red car arrive after the blue one" is about a blue car. It is the
 * noun named last before it; without one, any object.
 */
export function resolveOnes(query: Query): Query {
  const objects = objectsOf(query);
  const named = objects.filter(({ head }) => !head.one && !head.indefinite && head.word.sense.classes.length > 0);
  const nouns = new Map<ObjectEntity, ObjectEntity>();
  for (const one of objects) {
    const before = named.filter((each) => each.head.word.span.to <= one.head.word.span.from && mayBe(one, each));
    const noun = before.toSorted((a, b) => b.head.word.span.from - a.head.word.span.from)[0];
    if (one.head.one && noun) nouns.set(one, noun);
  }
  return nouns.size === 0 ? query : rewrite(query, nouns);
}

/** People have no color: "a person takes the red one". */
const mayBe = ({ attributes }: ObjectEntity, { head }: ObjectEntity): boolean =>
  !attributes.some(({ type }) => type === 'color') || !head.word.sense.classes.includes('person');

const isObjectEntity = (value: object): value is ObjectEntity =>
  'kind' in value && value.kind === 'entity' && 'head' in value && (value as Entity).head.type === 'object';

function objectsOf(query: Query): ObjectEntity[] {
  const found = new Set<ObjectEntity>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (isObjectEntity(value)) found.add(value);
    for (const part of Object.values(value)) visit(part);
  };
  visit(query);
  return [...found];
}

/** The query with other nouns. Parts that were the same are the same after it. */
function rewrite(query: Query, nouns: ReadonlyMap<ObjectEntity, ObjectEntity>): Query {
  const made = new Map<object, object>();
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = made.get(value);
    if (known) return known;
    const own = Array.isArray(value)
      ? value.map(copy)
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copy(part)]));
    const noun = isObjectEntity(value) ? nouns.get(value) : undefined;
    const { head } = own as ObjectEntity;
    const result = noun ? { ...own, head: { ...head, word: { ...head.word, sense: noun.head.word.sense } } } : own;
    made.set(value, result);
    return result;
  };
  return copy(query) as Query;
}
