import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { currentUnit, type Queryable, type UnitOfWork } from '#platform/db/index';
import { Problem } from '../problem.ts';
import { idempotencyMode } from './idempotency/idempotency.ts';
import type { Caller } from './types.ts';

/** A request in the form of the API, as its handler receives it, and its response. */
export type RecordedExchange = {
  operation: string;
  request: FastifyRequest;
  params: unknown;
  query: unknown;
  body: unknown;
  answer: unknown;
};

/** A request that its caller may not make. */
export type RefusedExchange = Omit<RecordedExchange, 'answer' | 'query' | 'body'> & { caller: Caller };

/** The audit log of requests, which a room implements. */
export interface AuditTrail {
  /** True if the operation is not recorded for a reason that the table of operations states. */
  isExempt(operation: string): boolean;
  /** True if refusals of the operation are recorded. */
  covers(operation: string): boolean;
  /** True if `record` is called for each success; false if the room of the operation writes the entries itself. */
  records(operation: string): boolean;
  /** Writes the entries of a request that succeeded, in the transaction of its changes. Null: in the unit of work. */
  record(exchange: RecordedExchange, trx: Queryable | null): Promise<void>;
  /** Records that a known caller was not allowed to do this. Never throws. */
  recordRefusal(exchange: RefusedExchange, problem: Problem): Promise<void>;
}

/** The methods of operations that must be recorded, or exempt by name. */
const RECORDED_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Records a refusal (403) of an operation that the audit log covers. */
export async function recordRefusal(
  trail: AuditTrail | undefined,
  request: FastifyRequest,
  caller: Caller | undefined,
  error: unknown,
): Promise<void> {
  const operation = operationOf(request.routeOptions);
  const isRefusal = error instanceof Problem && error.status === 403;
  if (!isRefusal || !caller || !operation || !trail?.covers(operation)) return;
  await trail.recordRefusal({ operation, request, params: request.params, caller }, error);
}

/**
 * Adds the audit log to a route. An operation is recorded in the transaction of its changes: in the unit of work of the
 * request, or, if it commits step by step (`staged`, `resumable`), in the step that saves its reference. The service
 * does not start with an operation that writes and is neither recorded nor exempt.
 */
export function createRecorder(trail: AuditTrail | undefined, unit: () => UnitOfWork) {
  /** Runs `work` in the unit of a request with an `Idempotency-Key`, or in one of its own. */
  async function inUnit<T>(work: () => Promise<T>): Promise<T> {
    if (currentUnit()) return work();
    const own = unit();
    try {
      const result = await own.run(work);
      await own.commit();
      return result;
    } catch (error) {
      await own.rollback();
      throw error;
    }
  }

  return (route: RouteOptions): void => {
    const operation = operationOf(route);
    if (!trail || !operation) return;
    if (!trail.covers(operation)) {
      const mustBeNamed = [route.method].flat().some((method) => RECORDED_METHODS.has(method));
      if (!mustBeNamed || trail.isExempt(operation)) return;
      throw new Error(`The operation ${operation} is neither recorded nor exempt (features/audit/operations.ts).`);
    }
    const { handler } = route;
    const mode = idempotencyMode(route);
    const inSteps = mode === 'staged' || mode === 'resumable';
    const isRecorded = trail.records(operation);

    route.handler = async function recorded(request, reply) {
      // The handler replaces these by the form of the domain.
      const { params, query, body } = request;
      const handle = async (): Promise<unknown> => handler.call(this, request, reply) as ReturnType<RouteHandlerMethod>;
      const record = (answer: unknown, trx: Queryable | null) =>
        trail.record({ operation, request, params, query, body, answer }, trx);
      if (isRecorded && inSteps) {
        const save = request.saveReference.bind(request);
        request.saveReference = async (value, trx) => {
          await record(parseReference(value), trx);
          await save(value, trx);
        };
      }
      try {
        if (!isRecorded || inSteps) return await handle();
        return await inUnit(async () => {
          const answer = await handle();
          await record(answer, null);
          return answer;
        });
      } catch (error) {
        await recordRefusal(trail, request, request.caller, error);
        throw error;
      }
    };
  };
}

const operationOf = ({ schema }: { schema?: unknown }): string | undefined =>
  (schema as { operationId?: string } | undefined)?.operationId;

/** The reference of a request that commits in steps: a document of the API, or an id. */
const parseReference = (value: string): unknown => (value.startsWith('{') ? JSON.parse(value) : value);
