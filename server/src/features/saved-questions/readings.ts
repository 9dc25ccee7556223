import { type Engine, isBlocked, type Plan } from '#engine/index';
import type { Batches } from '#features/batches/index';
import type { Zones } from '#features/zones/index';
import type { Database } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { readQuestions } from './jobs.ts';
import { problems } from './problems.ts';
import * as store from './reading-store.ts';
import type { QuestionReading, SavedQuestion } from './types.ts';

export type ReadingsDeps = {
  database: Database;
  engine: Pick<Engine, 'version' | 'interpret' | 'readings'>;
  zones: Pick<Zones, 'ofFolder'>;
  batches: Pick<Batches, 'readToStore'>;
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
};

/** Questions that one job reads; the next one follows in a minute. */
const READ_AT_ONCE = 100;

type ReadQuestion = Pick<SavedQuestion, 'query' | 'folderId' | 'reading' | 'readingVersion' | 'declinedReading'>;

/** A reading of this version that asks for something else than the stored one. */
type Proposal = { readingId: string; plan: Plan };

/** Readings of saved questions: stored with their words, run until somebody accepts another one. */
export function createQuestionReadings({ database, engine, zones, batches, jobs }: ReadingsDeps) {
  const { db } = database;
  const { readings } = engine;

  /** Reads a prompt into a reading to be stored. A language model is charged to the caller. */
  const read = async (
    caller: Parameters<Batches['readToStore']>[0],
    { query, folderId }: { query: string; folderId: string | null },
  ): Promise<store.NewReading> => ({
    plan: await batches.readToStore(caller, query, folderId),
    version: engine.version,
  });

  /** The stored reading and what this version proposes instead; `zones` are null for a question without a folder. */
  function compare({ query, reading }: Pick<ReadQuestion, 'query' | 'reading'>, named: Zone[] | null) {
    const { plan, fault } = readings.open(reading, query, null);
    const held = fault === null ? (readings.renew(plan, query, named ?? []) ?? plan) : null;
    const now = readings.read(query, named ?? []);
    return { held, fault, proposal: isProposed(held, now) ? { readingId: readings.idOf(now), plan: now } : null };
  }

  /** True if a person should see what this version reads. It knows no language model, whose reading may be better. */
  function isProposed(held: Plan | null, now: Plan): boolean {
    if (now.searches.every(isBlocked)) return false;
    if (held === null) return true;
    if (held.reader === 'model' && now.searches.some(isBlocked)) return false;
    return readings.idOf(held) !== readings.idOf(now);
  }

  const zonesOf = async (folderId: string | null) => (folderId === null ? null : zones.ofFolder(folderId));

  function describe(question: ReadQuestion, named: Zone[] | null): QuestionReading | null {
    if (question.reading === null) return null;
    const { held, fault, proposal } = compare(question, named);
    const restate = (plan: Plan) => engine.interpret(named ? readings.place(plan, question.query, named) : plan);
    return {
      state: toState(fault, proposal, question.declinedReading),
      interpretation: held && restate(held),
      engineVersion: question.readingVersion,
      problem: fault,
      proposed: proposal && {
        readingId: proposal.readingId,
        interpretation: restate(proposal.plan),
        engineVersion: engine.version,
      },
    };
  }

  /** Stores readings of questions that an earlier version saved. */
  async function readMissing(): Promise<void> {
    for (const question of await store.listUnread(db, READ_AT_ONCE))
      await store.storeFirstReading(db, question, await read({ orgId: question.orgId, keyId: null }, question));
  }

  return {
    read,
    readMissing,

    /** Describes the readings of these questions, by the id of the question; null: none is stored yet. */
    async describeAll(questions: readonly SavedQuestion[]): Promise<Map<string, QuestionReading | null>> {
      const folderIds = new Set(questions.map(({ folderId }) => folderId));
      const named = new Map<string | null, Zone[] | null>();
      for (const folderId of folderIds) named.set(folderId, await zonesOf(folderId));
      return new Map(questions.map((question) => [question.id, describe(question, named.get(question.folderId)!)]));
    },

    /** The stored reading, and what this version proposes instead. */
    async find(question: ReadQuestion): Promise<{ held: Plan | null; proposal: Proposal | null }> {
      return compare(question, await zonesOf(question.folderId));
    },

    /**
     * The reading that a run uses; one that is missing is read and stored. Throws `saved_question_reading_unusable`
     * (409).
     */
    async require(question: SavedQuestion): Promise<Plan> {
      const { id, orgId, query } = question;
      if (question.reading === null) {
        await store.storeFirstReading(db, question, await read({ orgId, keyId: null }, question));
        const stored = await store.findReading(db, { id, query });
        // The words have changed meanwhile: the run is of those that it started with.
        if (stored === null) return readings.read(query, []);
        return this.require({ ...question, reading: stored });
      }
      const { plan, fault } = readings.open(question.reading, query, null);
      if (fault !== null) throw problems.saved_question_reading_unusable(toSentence(fault));
      return plan;
    },

    registerJobs(): void {
      jobs.handle(readQuestions, readMissing);
      jobs.schedule(readQuestions, '* * * * *', {});
    },
  };
}

export type QuestionReadings = ReturnType<typeof createQuestionReadings>;

type Zone = Awaited<ReturnType<Zones['ofFolder']>>[number];

function toState(fault: string | null, proposal: Proposal | null, declined: string | null): QuestionReading['state'] {
  if (fault !== null) return 'unusable';
  if (proposal === null) return 'current';
  return proposal.readingId === declined ? 'declined' : 'differs';
}

const toSentence = (fault: string) =>
  `This version cannot run the stored reading of this question: ${fault} Accept the reading of this version, or change the words.`;
