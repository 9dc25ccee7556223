import { createHash } from 'node:crypto';
import type { MailConsent } from './service.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}strong{overflow-wrap:anywhere}';

/** Only its own style, and forms to this service. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`).toWellFormed();

const CONFIRM = '<button name="answer" value="confirm">Receive mails</button>';
const decline = (label: string) => `<button name="answer" value="decline">${label}</button>`;

/** The page of a link in a mail: what the recipient has answered, and buttons for the other answer. */
export function consentPage({ organization, address, status }: MailConsent): string {
  const [name, to] = [escapeHtml(organization), escapeHtml(address)];
  const { title, text, buttons } = {
    unconfirmed: {
      title: 'Receive mails about videos?',
      text: `<strong>${name}</strong> wants to send messages about videos, such as alerts, to <strong>${to}</strong>. They are sent only if you agree, and each has a link that stops them.`,
      buttons: CONFIRM + decline('Do not send'),
    },
    confirmed: {
      title: 'Mails are sent to you',
      text: `<strong>${name}</strong> sends messages about videos to <strong>${to}</strong>.`,
      buttons: decline('Stop these mails'),
    },
    declined: {
      title: 'No mails are sent to you',
      text: `<strong>${name}</strong> sends no messages to <strong>${to}</strong>, and does not ask again.`,
      buttons: CONFIRM,
    },
  }[status];
  return renderPage(title, `<p>${text}</p>\n<form method="post">${buttons}</form>`);
}

export const invalidLinkPage = (): string =>
  renderPage('This link is not valid', '<p>It is incomplete or has expired. Use the link of a later mail.</p>');

const renderPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Sightline</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
