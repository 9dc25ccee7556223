import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Maybe } from './fields.ts';
import { resource } from './resource.ts';
import { addUnusedFields } from './unused-fields.ts';

const Order = resource(
  'Order',
  Type.Object({ name: Type.String(), items: Type.Array(Type.Object({ id: Type.String() }), { maxItems: 5 }) }),
);
const fields = { color: Maybe(Type.String()) };

test('a body has the unused fields of its resource beside its own', () => {
  const { properties, required } = addUnusedFields(Order, { Order: { fields } }) as typeof Order;
  expect(Object.keys(properties)).toEqual(['name', 'items', 'color']);
  expect(required).toEqual(['name', 'items']);
  expect(Object.keys(Order.properties)).toEqual(['name', 'items']);
});

test('the items of a list have them', () => {
  const { properties } = addUnusedFields(Order, { Order: { fields, itemsOf: 'items' } }) as typeof Order;
  expect(Object.keys(properties)).toEqual(['name', 'items']);
  expect(properties.items).toMatchObject({ maxItems: 5, items: { required: ['id'] } });
  expect(Object.keys(properties.items.items.properties)).toEqual(['id', 'color']);
});

test('other bodies are the same', () => {
  expect(addUnusedFields(Order, { Other: { fields } })).toBe(Order);
  expect(addUnusedFields(Type.Object({}), { Other: { fields } })).toEqual(Type.Object({}));
});
