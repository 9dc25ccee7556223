/** A text to one address. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** Unique part of the `Message-ID`: a mail that arrives twice has one id. */
  id: string;
  /** URL that stops such mails, also by a POST without anything else (RFC 8058). */
  unsubscribeUrl?: string | null;
};

/** A message to a topic. The broker stores a `retained` one for later subscribers; an empty one deletes it. */
export type Publication = { topic: string; payload: string; retained?: boolean };

/** Result of a message that was handed over, or the reason why it was not, in a sentence. */
export type SendResult = { ok: true; response: string } | { ok: false; reason: string; status: number | null };

export interface Mailer {
  /** Hands a mail to the operator's mail server. Throws only if `signal` aborts. */
  send(mail: Mail, signal: AbortSignal): Promise<SendResult>;
}

export interface Broker {
  /** Publishes messages in order, each acknowledged by the broker. Throws only if `signal` aborts. */
  publish(messages: readonly Publication[], signal: AbortSignal): Promise<SendResult>;
}

/** The operator's mail server and broker; null where none is configured. */
export type Messaging = { mailer: Mailer | null; broker: Broker | null };
