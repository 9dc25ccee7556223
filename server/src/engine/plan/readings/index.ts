import { Problem } from '#platform/problem';
import { blockedSearch } from '../blocked-search.ts';
import type { Plan } from '../schema.ts';
import { planOf } from '../single-search.ts';
import type { Zone } from '../zones/index.ts';
import { bindZones, findUnread, namesIn, nameZones } from './bind-zones.ts';
import { digestOfPlan, idOf } from './id-of.ts';
import { joinPlans } from './join-plans.ts';

/** A stored reading as it is run. `fault`: this version cannot run it, and the plan only states this; null: it can. */
type OpenedReading = { plan: Plan; fault: string | null };

/**
 * Readings: plans that are stored with the words they were read from, and run until somebody accepts another one. They
 * name zones, also those that are not known yet, and get the points that these have in a video.
 */
export interface Readings {
  /** The known zones, and those that a prompt names without their being known, for the plan of a reading. */
  nameZones(query: string, known: readonly Zone[]): Zone[];
  /** Reads a prompt into a plan to be stored. */
  read(query: string, zones: readonly Zone[]): Plan;
  /**
   * Returns what replaces a stored reading: that of other words, or one that names a zone which was drawn since. Null:
   * it holds, whatever this version would read.
   */
  renew(stored: unknown, query: string, zones: readonly Zone[]): Plan | null;
  /** The plan of a checked reading for a video with these zones. A search is blocked if the video lacks its zone. */
  place(reading: Plan, query: string, zones: readonly Zone[]): Plan;
  /** Opens a stored reading for a video with these zones; null: without the points of zones. */
  open(stored: unknown, query: string, zones: readonly Zone[] | null): OpenedReading;
  /** Identifies what a reading asks for: readings with one id give the same answers. */
  idOf(plan: Plan): string;
  /** Identifies a plan with all of its words, whatever the order of its fields. */
  digestOf(plan: Plan): string;
  /** One plan of several that are searched for together; `query` is the text of all prompts. */
  join(query: string, plans: readonly Plan[]): Plan;
}

/** The parts of a planner that readings need. `checkPlan` throws a Problem about a plan that is not valid. */
type ReadingPlanner = {
  planQuery(query: string, zones: readonly Zone[]): Plan;
  checkPlan(value: unknown): Plan;
};

/** Longest excerpt of a query in a remark, in characters. */
const LONGEST_WORDS = 200;

export function createReadings({ planQuery, checkPlan }: ReadingPlanner): Readings {
  const read = (query: string, zones: readonly Zone[]): Plan => ({
    ...planQuery(query, nameZones(query, zones)),
    query,
  });

  /** The checked plan, or a Problem. */
  function check(stored: unknown): Plan | Problem {
    try {
      return checkPlan(stored);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  function renew(reading: Plan, query: string, zones: readonly Zone[]): Plan | null {
    const unread = findUnread(reading, query, zones);
    if (unread.length === 0) return null;
    const now = read(query, zones);
    const names = namesIn(now);
    return unread.some((name) => names.has(name)) ? now : null;
  }

  const place = (reading: Plan, query: string, zones: readonly Zone[]) =>
    bindZones(renew(reading, query, zones) ?? reading, zones);

  return {
    nameZones,
    read,
    renew(stored, query, zones) {
      if ((stored as Partial<Plan> | null)?.query !== query) return read(query, zones);
      const plan = check(stored);
      return plan instanceof Problem ? null : renew(plan, query, zones);
    },
    place,
    open(stored, query, zones) {
      const plan = check(stored);
      if (!(plan instanceof Problem)) return { plan: zones ? place(plan, query, zones) : plan, fault: null };
      const reason = `this version cannot run the stored reading of these words: ${plan.message}`;
      const blocked = blockedSearch(query, query.slice(0, LONGEST_WORDS), reason);
      return { plan: planOf(query, [blocked]), fault: plan.message };
    },
    idOf,
    digestOf: digestOfPlan,
    join: joinPlans,
  };
}
