import { VIEW_ROLE } from '#features/events/index';
import type { Checked } from './checks.ts';
import { problems } from './problems.ts';
import type { Selection } from './selection.ts';
import { keyOf, type Origin } from './source.ts';

/** Why nothing of a request can be imported. */
export function refusal(checked: Checked[]) {
  const { problem } = checked[0]!;
  return checked.length === 1
    ? problem!
    : problems.import_invalid(`None of the ${checked.length} objects can be read. The first: ${problem!.message}`);
}

/** A selection with the prefix of the integration where it names none. */
export function selectionOf(selection: Selection | null, { integration }: Origin): Selection {
  const { prefix = '', include = [], exclude = [] } = selection ?? {};
  return { prefix: prefix || (integration?.prefix ?? ''), include, exclude };
}

/** The views of a set, the front one first. Throws `import_invalid` (400) without one, or where roles are none or the same. */
export function viewsOf(views: Record<string, string>, origin: Origin): { view: string; key: string }[] {
  const named = Object.entries(views).map(([role, name]) => ({
    view: role.trim().toLowerCase(),
    key: keyOf(origin, name),
  }));
  const odd = named.find(({ view }, i) => !VIEW_ROLE.test(view) || named.findIndex((each) => each.view === view) < i);
  if (odd) {
    throw problems.import_invalid(
      `The role "${odd.view}" cannot be that of a view: roles are up to 64 letters, digits and "_", each given once, upper and lower case alike.`,
    );
  }
  const front = named.find(({ view }) => view === 'front');
  if (!front) throw problems.import_invalid('Each of the `sets` needs a view `front`.');
  return [front, ...named.filter((each) => each !== front)];
}
