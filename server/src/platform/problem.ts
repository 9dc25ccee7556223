/** A fault of one field of a request. */
export type FieldFault = { param: string; message: string };

/**
 * An expected failure: a stable code, an HTTP status and a message that the user can act on. Rooms declare theirs with
 * `defineProblems` in `problems.ts`; `docs/errors.md` is generated from those tables.
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  /** Structured value of the response's `detail`, where a message is not enough. */
  readonly detail: string | Record<string, unknown>;
  readonly headers: Record<string, string>;
  /** All invalid fields, where a request has several; empty otherwise. */
  readonly errors: readonly FieldFault[];

  constructor(p: {
    status: number;
    code: string;
    message: string;
    detail?: Record<string, unknown>;
    headers?: Record<string, string>;
    errors?: readonly FieldFault[];
    cause?: unknown;
  }) {
    super(p.message, p.cause === undefined ? undefined : { cause: p.cause });
    this.name = 'Problem';
    this.status = p.status;
    this.code = p.code;
    this.detail = p.detail ?? p.message;
    this.headers = p.headers ?? {};
    this.errors = p.errors ?? [];
  }

  /**
   * True if this service failed. False if the request, its data or another server is the cause: a bad gateway (502), or
   * one that does not respond in time (504).
   */
  get isFault(): boolean {
    return this.status >= 500 && ![501, 502, 504].includes(this.status);
  }
}

export type ProblemTable = Record<string, { status: number; sentence: string }>;

export type ProblemMaker = (
  message?: string,
  more?: {
    detail?: Record<string, unknown>;
    headers?: Record<string, string>;
    errors?: readonly FieldFault[];
    cause?: unknown;
  },
) => Problem;

/** Turns a table of codes into functions that create the Problem, with the table's message by default. */
export function defineProblems<const T extends ProblemTable>(table: T): { [K in keyof T]: ProblemMaker } {
  const makers = Object.entries(table).map(([code, { status, sentence }]): [string, ProblemMaker] => [
    code,
    (message = sentence, more = {}) => new Problem({ status, code, message, ...more }),
  ]);
  return Object.fromEntries(makers) as { [K in keyof T]: ProblemMaker };
}

/** Message for any thrown value. Errors that are not Problems get a generic one that reveals no internals. */
export function sentenceOf(error: unknown): string {
  return error instanceof Problem ? error.message : 'Something went wrong on our side.';
}
