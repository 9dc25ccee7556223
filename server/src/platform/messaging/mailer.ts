import type { Mailer } from './types.ts';

/** Longest wait for each step of a connection. */
const STEP_MS = 10_000;

type SmtpError = Error & { code?: string; responseCode?: number; response?: string };

/**
 * Sends mail through an SMTP server: `smtp://user:password@host:587` (with STARTTLS where the server has it) or
 * `smtps://host`. Each mail has a connection of its own: alerts are few, and a server may have restarted.
 */
export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  return {
    async send({ to, subject, text, id, unsubscribeUrl = null }, signal) {
      const timeouts = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS };
      const { createTransport } = await import('nodemailer');
      signal.throwIfAborted();
      const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
      const close = () => transport.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        const domain = from.replace(/^.*@|>.*$/g, '');
        // One address as a value, so that nothing in it is read as further recipients.
        const headers: Record<string, string> = unsubscribeUrl
          ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
          : {};
        const mail = { from, to: { name: '', address: to }, subject, text, headers, messageId: `<${id}@${domain}>` };
        const { response } = await transport.sendMail(mail);
        return { ok: true, response };
      } catch (error) {
        signal.throwIfAborted();
        const { code, responseCode, response, message } = error as SmtpError;
        const reason =
          responseCode === undefined
            ? `The mail server cannot be reached (${code ?? message}).`
            : `The mail server refused the message: ${response}`;
        return { ok: false, reason, status: responseCode ?? null };
      } finally {
        signal.removeEventListener('abort', close);
        transport.close();
      }
    },
  };
}
