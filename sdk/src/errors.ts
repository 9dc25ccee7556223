/** An answer that is not a success: the status, the stable code and the sentence the server gave. */
export class SightlineError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;

  constructor(status: number, body: unknown) {
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const text =
      typeof fields.message === 'string' ? fields.message : typeof body === 'string' ? body.slice(0, 500) : '';
    super(text || `The server answered ${status}.`);
    this.name = 'SightlineError';
    this.status = status;
    this.code = typeof fields.error === 'string' ? fields.error : 'unknown';
    this.detail = fields.detail;
  }
}

/** A response's body: JSON where it is JSON, else the text. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
