import type { Queryable } from '#platform/db/index';
import { type Caller, fromWire, toWire } from '#platform/http/index';
import { type StartedBatch, StartedQuery } from './schema.ts';
import type { StartOptions } from './service-types.ts';

/** The parts of a request that a start needs. */
export type StartRequest = {
  caller: Caller;
  savedReference: string | null;
  saveReference(value: string, trx: Queryable): Promise<void>;
};

/** Starts a batch once per `Idempotency-Key`: the response is recorded in the transaction that creates the batch. */
export async function startOnce(
  request: StartRequest,
  create: (saveReference: NonNullable<StartOptions['saveReference']>) => Promise<StartedBatch>,
): Promise<StartedBatch> {
  if (request.savedReference !== null) return fromWire(StartedQuery, JSON.parse(request.savedReference));
  return create((started, trx) => request.saveReference(JSON.stringify(toWire(StartedQuery, started)), trx));
}
