import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findContractions } from '../../scripts/schema-contractions.ts';

const BEFORE = `
CREATE OR REPLACE FUNCTION public.words(text text)
 RETURNS text
;

create table folders (
  id text not null,
  name text not null,
  color text default 'red'::text,
  size integer not null default 0,
  "position" integer,
  constraint folders_pkey PRIMARY KEY (id),
  constraint folders_size_check CHECK ((size >= 0))
);

create table zones (
  id text not null,
  constraint zones_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX folders_name ON folders USING btree (lower(name)) WHERE (name <> ''::text);

CREATE INDEX folders_by_size ON folders USING btree (size);

alter table zones add constraint zones_id_fkey FOREIGN KEY (id) REFERENCES folders(id);
`;

test.each<[change: string, now: string, then: string, contraction: string]>([
  ['a dropped table', /create table zones.*?;/s.exec(BEFORE)![0], '', 'table zones is dropped or renamed'],
  ['a renamed table', 'table zones', 'table regions', 'table zones is dropped or renamed'],
  ['a dropped column', '  "position" integer,\n', '', 'column folders.position is dropped or renamed'],
  ['a renamed column', '  color', '  colour', 'column folders.color is dropped or renamed'],
  ['a narrower type', 'size integer', 'size smallint', 'column folders.size was integer and is smallint'],
  ['another type', '  color text', '  color integer', 'column folders.color was text and is integer'],
  ['a new column without a default', '  color', '  owner_id text not null,\n  color', 'folders.owner_id needs a value'],
  ['a column that was nullable', '"position" integer', '"position" integer not null', 'folders.position needs a value'],
  ['a lost default', 'not null default 0', 'not null', 'column folders.size needs a value and has no default'],
  ['a dropped function', 'public.words(', 'public.lexemes(', 'function words is dropped or renamed'],
  [
    'a new unique key',
    '  constraint folders_pkey',
    '  constraint folders_size_key UNIQUE (size, "position"),\n  constraint folders_pkey',
    'folders gets folders_size_key: UNIQUE (size, "position")',
  ],
  [
    'a new check',
    '  constraint zones_pkey',
    "  constraint zones_id_check CHECK ((id <> ''::text)),\n  constraint zones_pkey",
    "zones gets zones_id_check: CHECK ((id <> ''::text))",
  ],
  ['a key that is not unique any more', 'CREATE UNIQUE INDEX', 'CREATE INDEX', 'folders loses folders_name'],
])('%s is a contraction', (_, now, then, contraction) => {
  expect(BEFORE).toContain(now);
  expect(findContractions(BEFORE, BEFORE.replace(now, then))).toEqual([expect.stringContaining(contraction)]);
});

test.each<[change: string, now: string, then: string]>([
  [
    'a nullable column with a key',
    '  color',
    '  slug text,\n  constraint folders_slug_key UNIQUE (slug, id),\n  color',
  ],
  ['a column with a default', '  color', "  kind text not null default 'plain'::text,\n  color"],
  ['a generated column', '  color', '  twice integer not null generated always as ((size * 2)) stored,\n  color'],
  ['a wider type', 'size integer', 'size bigint'],
  ['a check that allows more', '(size >= 0)', '(size >= (-1))'],
  ['an index', 'CREATE INDEX folders_by_size', 'CREATE INDEX folders_by_length'],
  ['a key with another name', 'folders_name ON', 'folders_by_name ON'],
  ['a table', 'create table zones', 'create table regions (\n  id text not null\n);\n\ncreate table zones'],
])('%s is none', (_, now, then) => {
  expect(BEFORE).toContain(now);
  expect(findContractions(BEFORE, BEFORE.replace(now, then))).toEqual([]);
});

test('the whole schema is read', () => {
  const schema = readFileSync(new URL('../migrations/schema.sql', import.meta.url), 'utf8');
  expect(findContractions(schema, schema)).toEqual([]);
  const tables = schema.match(/^create table /gm)!.length;
  const functions = new Set(schema.match(/^CREATE OR REPLACE FUNCTION [^(]+/gm)).size;
  expect(findContractions(schema, '')).toHaveLength(tables + functions);
  let columns = 0;
  const renamed = schema.replaceAll(/^create table .*?^\);/gms, (table) =>
    table.replaceAll(/^( {2}(?!constraint )"?)(\w+"? \w)/gm, (_, indent, name) => {
      columns++;
      return `${indent}new_${name}`;
    }),
  );
  const dropped = findContractions(schema, renamed).filter((change) => change.endsWith('is dropped or renamed'));
  expect(dropped).toHaveLength(columns);
});
