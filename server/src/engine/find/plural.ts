const IRREGULAR: Record<string, string> = {
  person: 'people',
  knife: 'knives',
  sheep: 'sheep',
  mouse: 'mice',
  skis: 'skis',
  scissors: 'scissors',
  broccoli: 'broccoli',
  bus: 'buses',
  couch: 'couches',
  bench: 'benches',
  sandwich: 'sandwiches',
  toothbrush: 'toothbrushes',
  'wine glass': 'wine glasses',
};

/** True if a name, as the prompt has it, is a plural: "red cars", "people". */
export const isPlural = (name: string) => /(?:[^su]s|people|men|children|mice)$/.test(name);

/** Plural of a class or another noun. */
export const pluralOf = (name: string) => IRREGULAR[name] ?? `${name}s`;
