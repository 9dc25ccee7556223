import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database/test-database';
import { dumpSchema } from '../../scripts/schema/dump.ts';

const EVERYTHING = `
  create extension pg_trgm;
  create type mood as enum ('sad', 'it''s ok');
  create function touch() returns trigger language plpgsql as $$ begin new.at = now(); return new; end $$;
  create table "Odd name" (
    id bigint generated always as identity primary key,
    twice integer generated always as (length(word) * 2) stored,
    word text collate "C" not null default 'a, ''b''',
    mood mood,
    at timestamptz(3),
    constraint no_overlap exclude using gist (tstzrange(at, at, '[]') with &&)
  );
  create index odd_words on "Odd name" using gin (word gin_trgm_ops);
  create view words as select word from "Odd name";
  create trigger touched before update on "Odd name" for each row execute function touch();`;

test('the dump makes the same schema again, whatever is in it', async () => {
  const { connection, drop } = await createTestDatabase();
  const copy = await createTestDatabase();
  const [source, target] = [new pg.Client(connection), new pg.Client(copy.connection)];
  try {
    await source.connect();
    await target.connect();
    await source.query(EVERYTHING);
    await target.query('drop schema public cascade; create schema public');
    const dump = await dumpSchema(connection);
    await target.query(dump);
    expect(await dumpSchema(copy.connection)).toBe(dump);
    expect(dump).toContain('create table "Odd name"');
    expect(dump).not.toContain('kysely');
  } finally {
    await source.end();
    await target.end();
    await drop();
    await copy.drop();
  }
});
