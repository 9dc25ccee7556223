import { type GuardedFetch, toFetchProblem } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { encodeMessage } from './message-format.ts';
import { problems } from './problems.ts';
import { signMessage } from './signature.ts';
import type { AttemptResult, Message, WebhookSettings } from './types.ts';

/** An endpoint must respond within this time. */
const RESPONSE_MS = 15_000;
const EXCERPT_BYTES = 1_024;

/**
 * Sends a message once, signed with each of the secrets. Never throws for a reason outside of this service, except that
 * of an aborted signal. Redirects are not followed: they are a refusal.
 */
export async function sendMessage(
  net: Pick<GuardedFetch, 'post'>,
  {
    url,
    format,
    secrets,
    message,
  }: Pick<WebhookSettings, 'url' | 'format'> & { secrets: readonly string[]; message: Message },
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { body, headers: own } = encodeMessage(message, format);
  const at = new Date();
  const headers = { ...own, ...signMessage(secrets, { id: message.id, body, at }) };
  const timeout = AbortSignal.timeout(RESPONSE_MS);
  const durationMs = () => Date.now() - at.getTime();
  try {
    const response = await net.post(url, { headers, body, signal: AbortSignal.any([signal, timeout]) });
    const { status } = response;
    const responseExcerpt = await readExcerpt(response.body);
    const ok = status >= 200 && status < 300;
    const problem = ok ? null : problems.webhook_refused(`The endpoint responded with status ${status}.`);
    return { ok, durationMs: durationMs(), responseStatus: status, responseExcerpt, ...toColumns(problem) };
  } catch (error) {
    signal.throwIfAborted();
    const problem = timeout.aborted
      ? problems.webhook_refused(`The endpoint did not respond within ${RESPONSE_MS / 1000} seconds.`)
      : toFetchProblem(error, new URL(url));
    if (!(problem instanceof Problem)) throw error;
    return { ok: false, durationMs: durationMs(), responseStatus: null, responseExcerpt: null, ...toColumns(problem) };
  }
}

const toColumns = (problem: Problem | null) => ({
  problemCode: problem?.code ?? null,
  problemMessage: problem?.message ?? null,
});

/** The first bytes of a response as text for the database. A body that breaks off does not change the result. */
async function readExcerpt(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= EXCERPT_BYTES) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString().replaceAll('\0', '');
}
