import pg from 'pg';

/** Uses of a statement before it is prepared: lists of varying length create statements that never repeat. */
const USES_BEFORE_NAMING = 3;
/** Number of cached statements; the product has some hundred. */
const MOST_TEXTS = 2_000;

/**
 * Append it with `.modifyEnd(sql.raw(PLANNED_BY_VALUES))` to a statement whose best plan depends on its values. It is
 * then planned for each execution; a prepared statement has one plan for all values.
 */
export const PLANNED_BY_VALUES = '/* planned by its values */';

const isUnanswered = ({ message }: Error) => message === 'Query read timeout';

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * Client class for a pool. It prepares repeated statements, so that the server parses and plans each once per
 * connection. It closes the connection after a statement without response, because later ones would wait for it.
 */
export function preparingClient(): typeof pg.Client {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    if (text.endsWith(PLANNED_BY_VALUES)) return undefined;
    const known = names.get(text);
    if (known || uses.size >= MOST_TEXTS) return known;
    const count = (uses.get(text) ?? 0) + 1;
    uses.set(text, count);
    if (count < USES_BEFORE_NAMING) return undefined;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  }

  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: of a dozen overloads, all but one are passed on unchanged
    override query(config: any, values?: any, callback?: any): any {
      const query = super.query.bind(this) as Query;
      const name = typeof config === 'string' && Array.isArray(values) ? nameOf(config) : undefined;
      const answer = name ? query({ name, text: config, values }, callback) : query(config, values, callback);
      if (answer instanceof Promise) answer.catch((error) => void (isUnanswered(error) && this.end()));
      return answer;
    }
  };
}
