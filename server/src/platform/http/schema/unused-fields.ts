import type { TObject, TProperties, TSchema } from 'typebox';
import { RESOURCE_NAME } from './resource.ts';

/**
 * Optional fields without effect that bodies may have besides those that their operations declare, by the name of the
 * resource; with `itemsOf`, the items of that list have them. They are validated and described, and handlers do not
 * receive them.
 */
export type UnusedFields = Readonly<Record<string, { fields: TProperties; itemsOf?: string }>>;

type Body = TSchema & { [RESOURCE_NAME]?: string };
type List = { items: TObject };

/** The schema of a body with its unused fields. */
export function addUnusedFields(body: TSchema, unused: UnusedFields): TSchema {
  const extension = unused[(body as Body)[RESOURCE_NAME] ?? ''];
  if (!extension) return body;
  const { fields, itemsOf } = extension;
  if (!itemsOf) return withFields(body as TObject, fields);
  const list = (body as TObject).properties[itemsOf] as unknown as List;
  return withFields(body as TObject, { [itemsOf]: { ...list, items: withFields(list.items, fields) } as never });
}

const withFields = (schema: TObject, fields: TProperties) => ({
  ...schema,
  properties: { ...schema.properties, ...fields },
});
