import { clock } from '#platform/clock';
import type { MailLinks } from '../recipients/service.ts';
import type { Message, WebhookFormat } from '../types.ts';
import { toHomeAssistant } from './home-assistant.ts';

/** Longest text of a chat message in characters; a message of Discord has at most 2,000 with escapes. */
const MAX_TEXT = 800;

type Encoded = { body: string; headers: Record<string, string> };

/** The body and headers of a message in the format of an endpoint; the same for every attempt. */
export function encodeMessage(message: Message, format: WebhookFormat): Encoded {
  const { type, subject, sequence, data, createdAt } = message;
  if (format === 'standard') return json({ type, timestamp: createdAt.toISOString(), subject, sequence, data });
  if (format === 'mqtt') return json(toHomeAssistant(message));
  if (format === 'email') return { body: toMail(message).text, headers: {} };
  const [url = null] = [data.recap_url, data.url].filter((each) => typeof each === 'string');
  return CHAT_FORMATS[format](linesOf(message), url);
}

/** A message as mail: its first line as the subject, and with links in the text, also one that stops them. */
export function toMail(message: Message, settings: MailLinks | null = null): { subject: string; text: string } {
  const lines = linesOf(message);
  const { recap_url: recap, url } = message.data;
  const links = [typeof recap === 'string' ? `Recap: ${recap}` : null, typeof url === 'string' ? url : null];
  const blocks = [lines.join('\n'), ...links.filter((link) => link !== null)];
  if (settings) blocks.push(`-- \nFrom ${oneLine(settings.organization)}. Stop these mails:\n${settings.settingsUrl}`);
  return { subject: lines[0]!, text: `${blocks.join('\n\n')}\n` };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100).toWellFormed();

/** One line, or several of a digest. Names may have line breaks. */
const linesOf = (message: Message): string[] => {
  const { type, data } = message;
  const lines = type === 'digest.created' && Array.isArray(data.lines) ? data.lines.map(String) : [];
  const length = MAX_TEXT / Math.max(1, lines.length);
  return (lines.length > 0 ? lines : [describeMessage(message)]).map((line) =>
    line.replaceAll(/\s+/g, ' ').slice(0, length).toWellFormed(),
  );
};

const json = (value: object): Encoded => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

/** Texts come from users: none may format, mention or link anything. */
const CHAT_FORMATS: Record<
  Exclude<WebhookFormat, 'standard' | 'email' | 'mqtt'>,
  (lines: readonly string[], url: string | null) => Encoded
> = {
  slack: (lines, url) => {
    const escaped = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return json({ text: url ? `${escaped}\n<${url}|Open in Sightline>` : escaped });
  },
  discord: (lines, url) => {
    const escaped = lines.join('\n').replaceAll(/[\\*_~`|<>#[\]()@:-]/g, String.raw`\$&`);
    return json({ content: url ? `${escaped}\n<${url}>` : escaped, allowed_mentions: { parse: [] } });
  },
  teams: (lines, url) =>
    json({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            // Unlike a text block, a text run is not read as Markdown.
            body: lines.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
            actions: url ? [{ type: 'Action.OpenUrl', title: 'Open in Sightline', url }] : [],
          },
        },
      ],
    }),
  ntfy: (lines, url) => ({
    body: lines.join('\n'),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: 'Sightline',
      ...(url ? { click: new URL(url).href } : {}),
    },
  }),
};

type Data = Record<string, unknown>;

/** A message as a sentence. */
function describeMessage({ type, data }: Message): string {
  switch (type) {
    case 'alert.raised': {
      const others = Number(data.other_events);
      return `${data.saved_question_name}: ${moment(data)}${others > 0 ? `, and ${others} more` : ''}`;
    }
    case 'digest.created':
      return `Digest of ${data.saved_question_name}, ${data.day}`;
    case 'event.found':
      return moment(data);
    case 'event.reviewed':
      return `Reviewed (${data.approval}): ${moment(data)}`;
    case 'video.ready':
      return `Video ready: ${data.name}`;
    case 'video.failed':
      return withReason(`Video failed: ${data.name}`, data);
    case 'analysis.completed':
      return `"${data.query}" on ${data.video_name}: ${counted(Number(data.event_count), 'event')}`;
    case 'analysis.failed':
      return withReason(`"${data.query}" on ${data.video_name} failed`, data);
    case 'batch.completed':
      return `"${data.query}" on ${counted(Number(data.total), 'video')}: ${data.status}`;
    case 'import.completed':
      return `Import ended: ${data.uploaded} of ${counted(Number(data.total), 'object')} imported`;
    case 'import.failed':
      return withReason('Import failed', data);
    case 'live.event':
      return `Livestream: ${data.label}${data.ongoing === true ? '' : ' (ended)'}`;
    case 'live.ended':
      return withReason(`Livestream ${data.status}`, data);
    case 'camera.fault':
      return withReason(`Camera ${data.camera_name} ${FAULTS[String(data.kind)] ?? 'has a fault'}`, data);
    case 'camera.recovered':
      return `Camera ${data.camera_name} works again`;
    case 'limit.reached':
      return `Your organization has used ${data.percent} % of its ${data.limit === 'bytes' ? 'storage' : 'number of videos'}`;
    case 'webhook.ping':
      return 'This is a test message from Sightline';
  }
}

const moment = ({ label, video_name, start_s, confidence }: Data) =>
  `${label} in ${video_name} at ${clock(Number(start_s))}${typeof confidence === 'number' ? `, confidence ${confidence.toFixed(2)}` : ''}`;

const FAULTS: Partial<Record<string, string>> = {
  offline: 'is offline',
  black: 'shows a black picture',
  frozen: 'shows a frozen picture',
};

const withReason = (text: string, { message }: Data) => (typeof message === 'string' ? `${text}: ${message}` : text);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
