import type { Messaging, SendResult } from '#platform/messaging/index';
import { type GuardedFetch, toFetchProblem } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { type TraceSpan, withSpan } from '#platform/tracing/index';
import { problems } from '../problems.ts';
import type { MailLinks } from '../recipients/service.ts';
import { targetOf, type WebhookTarget } from '../target.ts';
import type { AttemptResult, Message, StoredWebhook, WebhookSettings } from '../types.ts';
import { toDiscovery } from './home-assistant.ts';
import { encodeMessage, toMail } from './message-format.ts';
import { signMessage } from './signature.ts';

/** An endpoint must respond within this time. */
const RESPONSE_MS = 15_000;
const EXCERPT_BYTES = 1_024;

export type Senders = Messaging & { net: Pick<GuardedFetch, 'post'> };

/**
 * Sends a message once: over HTTP signed with each of the secrets, by mail, or to an MQTT broker. Never throws for a
 * reason outside of this service, except that of an aborted signal.
 */
export async function sendMessage(
  senders: Senders,
  {
    endpoint,
    secrets,
    message,
    links,
  }: {
    endpoint: Pick<StoredWebhook, 'id' | 'orgId' | 'orgTopic' | 'url' | 'format' | 'description' | 'eventTypes'>;
    secrets: readonly string[];
    message: Message;
    /** Of mail. */
    links: MailLinks | null;
  },
  signal: AbortSignal,
): Promise<AttemptResult> {
  const target = targetOf(endpoint);
  const startedAt = Date.now();
  const attributes = {
    'sightline.webhook.id': endpoint.id,
    'sightline.webhook.event': message.type,
    'sightline.webhook.target': target.kind,
    'sightline.webhook.message_id': message.id,
  };
  const sendInSpan = async (span: TraceSpan): Promise<Outcome> => {
    const outcome =
      target.kind === 'http'
        ? await post(senders.net, { ...endpoint, secrets, message }, signal)
        : toOutcome(await relayMessage(senders, target, { endpoint, message, links }, signal));
    span.set({ 'http.response.status_code': outcome.responseStatus });
    if (!outcome.ok) span.fail({ code: outcome.problemCode });
    return outcome;
  };
  const sent = await withSpan('deliver webhook', attributes, sendInSpan, { kind: 'client' });
  return { ...sent, durationMs: Date.now() - startedAt };
}

type Outcome = Omit<AttemptResult, 'durationMs'>;

/** Redirects are not followed: they are a refusal. */
async function post(
  net: Pick<GuardedFetch, 'post'>,
  {
    url,
    format,
    secrets,
    message,
  }: Pick<WebhookSettings, 'url' | 'format'> & { secrets: readonly string[]; message: Message },
  signal: AbortSignal,
): Promise<Outcome> {
  const { body, headers: own } = encodeMessage(message, format);
  const headers = { ...own, ...signMessage(secrets, { id: message.id, body, at: new Date() }) };
  const timeout = AbortSignal.timeout(RESPONSE_MS);
  try {
    const response = await net.post(url, { headers, body, signal: AbortSignal.any([signal, timeout]) });
    const { status } = response;
    const responseExcerpt = await readExcerpt(response.body);
    const ok = status >= 200 && status < 300;
    const problem = ok ? null : problems.webhook_refused(`The endpoint responded with status ${status}.`);
    return { ok, responseStatus: status, responseExcerpt, ...toColumns(problem) };
  } catch (error) {
    signal.throwIfAborted();
    const problem = timeout.aborted
      ? problems.webhook_refused(`The endpoint did not respond within ${RESPONSE_MS / 1000} seconds.`)
      : toFetchProblem(error, new URL(url));
    if (!(problem instanceof Problem)) throw error;
    return { ok: false, responseStatus: null, responseExcerpt: null, ...toColumns(problem) };
  }
}

/** Sends a message through the operator's mail server or broker; without one, the result is a reason. */
async function relayMessage(
  { mailer, broker }: Messaging,
  target: Exclude<WebhookTarget, { kind: 'http' }>,
  {
    endpoint,
    message,
    links,
  }: {
    endpoint: Pick<WebhookSettings, 'description' | 'eventTypes'> & { id: string };
    message: Message;
    links: MailLinks | null;
  },
  signal: AbortSignal,
): Promise<SendResult> {
  if (target.kind === 'email') {
    if (!mailer) return { ok: false, reason: problems.webhook_mail_missing().message, status: null };
    const unsubscribeUrl = links?.settingsUrl ?? null;
    return mailer.send({ ...toMail(message, links), to: target.address, id: message.id, unsubscribeUrl }, signal);
  }
  if (!broker) return { ok: false, reason: problems.webhook_broker_missing().message, status: null };
  const { body } = encodeMessage(message, 'mqtt');
  return broker.publish([toDiscovery(target.topic, endpoint), { topic: target.topic, payload: body }], signal);
}

const toOutcome = (result: SendResult): Outcome =>
  result.ok
    ? { ok: true, responseStatus: null, responseExcerpt: result.response.slice(0, EXCERPT_BYTES), ...toColumns(null) }
    : {
        ok: false,
        responseStatus: result.status,
        responseExcerpt: null,
        ...toColumns(problems.webhook_refused(result.reason)),
      };

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
