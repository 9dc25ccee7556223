/** A response that is not a success: its status, its stable code and its message. */
export class SightlineError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;
  /** Identifies the request in the log of the service; null if the response has none. */
  readonly requestId: string | null;

  constructor(status: number, body: unknown, requestId: string | null = null) {
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const text =
      typeof fields.message === 'string' ? fields.message : typeof body === 'string' ? body.slice(0, 500) : '';
    super(text || `The server answered ${status}.`);
    this.name = 'SightlineError';
    this.status = status;
    this.code = typeof fields.error === 'string' ? fields.error : 'unknown';
    this.detail = fields.detail;
    this.requestId = requestId;
  }
}

/** Body of a response: parsed JSON, or text. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error of a response that is not a success. */
export const errorOf = async (response: Response): Promise<SightlineError> =>
  new SightlineError(response.status, await bodyOf(response), response.headers.get('x-request-id'));
