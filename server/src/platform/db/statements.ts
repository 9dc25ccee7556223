import pg from 'pg';

/** A statement is prepared once it has come this often: lists of varying length make texts that never come again. */
const USES_BEFORE_NAMING = 3;
/** Texts that are remembered; a product has some hundred. */
const MOST_TEXTS = 2_000;

/**
 * In a statement whose best plan depends on its values, as `.modifyEnd(sql.raw(PLANNED_BY_VALUES))`: it is planned anew each time. What is
 * prepared gets one plan for all values.
 */
export const PLANNED_BY_VALUES = '/* planned by its values */';

const isUnanswered = ({ message }: Error) => message === 'Query read timeout';

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A client that prepares the statements that come again and again, so that the server parses and plans each once per connection, and that
 * ends with a statement that gets no answer: what is asked after it would wait behind it. To be given to a pool as its `Client`.
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
    // biome-ignore lint/suspicious/noExplicitAny: the driver overloads this method a dozen ways; all but one are passed on as they are
    override query(config: any, values?: any, callback?: any): any {
      const query = super.query.bind(this) as Query;
      const name = typeof config === 'string' && Array.isArray(values) ? nameOf(config) : undefined;
      const answer = name ? query({ name, text: config, values }, callback) : query(config, values, callback);
      if (answer instanceof Promise) answer.catch((error) => void (isUnanswered(error) && this.end()));
      return answer;
    }
  };
}
