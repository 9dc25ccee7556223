import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** Response header with the fields of the body that had no effect. */
export const IGNORED_FIELDS = 'Ignored-Fields';

/** Most fields in the header. */
const MAX_FIELDS = 20;

/** Sets the header to these fields, in addition to those that it has. */
export function reportIgnored(reply: FastifyReply, fields: readonly string[]): void {
  if (fields.length === 0) return;
  const others = String(reply.getHeader(IGNORED_FIELDS) ?? '')
    .split(', ')
    .filter((name) => name !== '');
  const names = [...new Set([...others, ...fields.map(toHeaderText)])].slice(0, MAX_FIELDS);
  reply.header(IGNORED_FIELDS, names.join(', '));
}

/** Headers have no commas in a name, and ASCII only. */
const toHeaderText = (path: string) =>
  path.replace(/[^\w.[\]$-]/gu, (character) => (character.isWellFormed() ? encodeURIComponent(character) : '%3F'));

/** Paths of the fields of a body that its schema does not have: `color`, `files[].size`. */
export function findIgnoredFields(schema: TSchema, body: unknown): string[] {
  const found = new Set<string>();
  finderOf(schema)?.(body, '', found);
  return [...found];
}

type Finder = (value: unknown, path: string, found: Set<string>) => void;

const finders = new WeakMap<TSchema, { find: Finder | null }>();

function finderOf(schema: TSchema): Finder | null {
  let known = finders.get(schema);
  if (!known) {
    known = { find: build(schema) };
    finders.set(schema, known);
  }
  return known.find;
}

/** Null if a value of the schema has no unknown fields. */
function build(schema: TSchema): Finder | null {
  if (Type.IsUnsafe(schema)) return null;
  if (Type.IsArray(schema)) {
    const find = finderOf(schema.items);
    return find && ((value, path, found) => forEach(value, (each) => find(each, `${path}[]`, found)));
  }
  if (Type.IsUnion(schema)) return ofUnion(branchesOf(schema));
  if (!Type.IsObject(schema) || Object.keys(schema.properties).length === 0) return null;
  const children = Object.entries(schema.properties).map(([name, child]) => [name, finderOf(child)] as const);
  const known = new Map(children);
  return (value, path, found) => {
    if (!isRecord(value)) return;
    for (const [name, child] of Object.entries(value)) {
      if (found.size >= MAX_FIELDS) return;
      const at = path === '' ? name : `${path}.${name}`;
      if (!known.has(name)) found.add(at);
      else known.get(name)?.(child, at, found);
    }
  };
}

/** A field is unknown if it is in all branches of the value's type. */
function ofUnion(branches: TSchema[]): Finder | null {
  const objects = branches.filter((branch) => Type.IsObject(branch));
  const arrays = branches.filter((branch) => Type.IsArray(branch)).map(finderOf);
  if (branches.some((branch) => Type.IsUnsafe(branch) || Type.IsRecord(branch))) return null;
  const inObjects = objects.map(finderOf);
  if (![...inObjects, ...arrays].some(Boolean)) return null;
  return (value, path, found) => {
    const candidates = Array.isArray(value) ? arrays : isRecord(value) ? inObjects : [];
    const results = candidates.map((find) => {
      const own = new Set<string>();
      find?.(value, path, own);
      return own;
    });
    const [first, ...others] = results;
    for (const name of first ?? []) if (others.every((own) => own.has(name))) found.add(name);
  };
}

const branchesOf = (schema: TSchema): TSchema[] => (Type.IsUnion(schema) ? schema.anyOf.flatMap(branchesOf) : [schema]);

function forEach(list: unknown, visit: (item: unknown) => void): void {
  if (Array.isArray(list)) for (const item of list) visit(item);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
