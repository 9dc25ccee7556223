import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Maybe, ServiceValidated } from '../schema/fields.ts';
import { findIgnoredFields, reportIgnored } from './ignored-fields.ts';

const Order = Type.Object({
  name: Type.String(),
  items: Type.Array(Type.Object({ id: Type.String() })),
  address: Maybe(Type.Object({ city: Type.String() })),
  target: Maybe(
    Type.Union([
      Type.Object({ kind: Type.Literal('a'), a: Type.String() }),
      Type.Object({ kind: Type.Literal('b'), b: Type.String() }),
    ]),
  ),
  metadata: Maybe(Type.Record(Type.String(), Type.Unknown())),
  anything: Maybe(Type.Object({}, { additionalProperties: true })),
  plan: Type.Optional(ServiceValidated('Plan', 'A plan.')),
});

test.each([
  [{ name: 'a', items: [] }, []],
  [{ name: 'a', items: [], color: 1, size: 2 }, ['color', 'size']],
  [{ items: [{ id: '1', size: 1 }, { size: 2 }] }, ['items[].size']],
  [{ address: { city: 'x', zip: 1 } }, ['address.zip']],
  [{ address: null }, []],
  [{ target: { kind: 'a', a: '1', b: '2' } }, []],
  [{ target: { kind: 'a', c: 1 } }, ['target.c']],
  // Any fields are accepted there.
  [{ metadata: { x: 1 }, anything: { y: 1 }, plan: { z: 1 } }, []],
  // Bodies that the validation refuses.
  [null, []],
  ['text', []],
  [[{ color: 1 }], []],
  [{ items: 'x', address: [1] }, []],
])('of %j, %j are ignored', (body, expected) => {
  expect(findIgnoredFields(Order, body)).toEqual(expected);
});

test('the header is one line of ASCII, whatever the names are', () => {
  const headers = new Map<string, string>();
  const reply = {
    getHeader: (name: string) => headers.get(name),
    header: (name: string, value: string) => headers.set(name, value),
  } as never;
  reportIgnored(reply, []);
  expect(headers.size).toBe(0);
  reportIgnored(reply, ['a b', 'c,d', 'ü', '\ud800', '\r\nx: y', '💡']);
  reportIgnored(reply, ['items[].size', 'ü']);
  expect([...headers]).toEqual([
    ['Ignored-Fields', 'a%20b, c%2Cd, %C3%BC, %3F, %0D%0Ax%3A%20y, %F0%9F%92%A1, items[].size'],
  ]);
  reportIgnored(
    reply,
    Array.from({ length: 1000 }, (_, i) => `f${i}`),
  );
  expect(headers.get('Ignored-Fields')!.split(', ')).toHaveLength(20);
});
