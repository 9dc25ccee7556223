type Column = { type: string; required: boolean };
type Table = {
  columns: Map<string, Column>;
  /** Definitions of constraints and of unique indexes (`USING …`) by name. */
  rules: Map<string, string>;
};

/** Type changes after which every former value still fits. */
const WIDER: Record<string, readonly string[]> = {
  smallint: ['integer', 'bigint'],
  integer: ['bigint'],
  real: ['double precision'],
};

/**
 * Compares two dumps of the schema (`schema.sql`). Returns one phrase for each change that a node of the version before
 * cannot work with: what it uses is missing, or what it writes is refused. Changed checks are accepted, since most of
 * them allow one more value.
 */
export function findContractions(before: string, after: string): string[] {
  const [former, present] = [parseSchema(before), parseSchema(after)];
  return [
    ...[...former.tables].flatMap(([name, table]) => {
      const now = present.tables.get(name);
      return now ? compareTables(name, table, now) : [`table ${name} is dropped or renamed`];
    }),
    ...[...former.functions.difference(present.functions)].map((name) => `function ${name} is dropped or renamed`),
  ];
}

function compareTables(name: string, before: Table, after: Table): string[] {
  const changes = [...before.columns].flatMap(([column, { type }]) => {
    const now = after.columns.get(column)?.type;
    if (now === undefined) return [`column ${name}.${column} is dropped or renamed`];
    return type === now || WIDER[type]?.includes(now) ? [] : [`column ${name}.${column} was ${type} and is ${now}`];
  });
  const required = [...after.columns]
    .filter(([column, { required }]) => required && !before.columns.get(column)?.required)
    .map(([column]) => `column ${name}.${column} needs a value and has no default`);
  return [...changes, ...required, ...compareRules(name, before, after)];
}

function compareRules(name: string, before: Table, after: Table): string[] {
  const isIn = (rules: Map<string, string>, rule: string, definition: string) =>
    rules.has(rule) || [...rules.values()].includes(definition);
  const columnsIn = (definition: string, { columns }: Table) =>
    [...columns.keys()].filter((column) => new RegExp(`\\b${column}\\b`).test(definition));
  const added = [...after.rules]
    .filter(([rule, definition]) => !isIn(before.rules, rule, definition))
    // Rows of earlier nodes do not have the new columns.
    .filter(([, definition]) => columnsIn(definition, after).every((column) => before.columns.has(column)))
    .map(([rule, definition]) => `${name} gets ${rule}: ${definition}`);
  const dropped = [...before.rules]
    .filter(([rule, definition]) => /^(UNIQUE|PRIMARY|USING)/.test(definition) && !isIn(after.rules, rule, definition))
    // Otherwise a phrase about the column is there already.
    .filter(([, definition]) => columnsIn(definition, before).every((column) => after.columns.has(column)))
    .map(([rule, definition]) => `${name} loses ${rule}, which "on conflict" may name: ${definition}`);
  return [...added, ...dropped];
}

function parseSchema(text: string): { tables: Map<string, Table>; functions: Set<string> } {
  const tables = new Map<string, Table>();
  for (const [, name, body] of text.matchAll(/^create table (\S+) \(\n(.*?)\n\);$/gms)) {
    const table: Table = { columns: new Map(), rules: new Map() };
    // Definitions of several lines continue with a deeper indentation.
    for (const line of body!.split(/,?\n(?= {2}\S)/)) {
      const rule = /^ {2}constraint (\S+) (.*)$/s.exec(line);
      if (rule) table.rules.set(rule[1]!, rule[2]!);
      else table.columns.set(...parseColumn(line));
    }
    tables.set(name!, table);
  }
  const rules = [
    ...text.matchAll(/^alter table (?<table>\S+) add constraint (?<name>\S+) (?<definition>.*);$/gm),
    ...text.matchAll(/^CREATE UNIQUE INDEX (?<name>\S+) ON (?<table>\S+) (?<definition>.*);$/gm),
  ];
  for (const { groups } of rules) tables.get(groups!.table!)?.rules.set(groups!.name!, groups!.definition!);
  const functions = text.matchAll(/^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) public\.(\w+)\(/gm);
  return { tables, functions: new Set([...functions].map(([, name]) => name!)) };
}

/** Parses a column such as `  "position" integer not null default 0`. */
function parseColumn(line: string): [string, Column] {
  const [, name, type, rest] = /^ {2}"?(\w+)"? (.*?)((?: collate| not null| default| generated)\b.*)?$/s.exec(line)!;
  const required = / not null\b/.test(rest ?? '') && !/ (default|generated) /.test(rest!);
  return [name!, { type: type!, required }];
}
