import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { clientOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { MailAnswer, MailRecipientParams, MailRecipientQuery } from '../schema.ts';
import { consentPage, invalidLinkPage, PAGE_POLICY } from './page.ts';
import type { MailConsent, Recipients } from './service.ts';

const PATH = '/api/mail-recipients/:org_id';
const page = (description: string, content: string) => ({
  description,
  content: {
    'text/html': {
      schema: Type.Unsafe<unknown>({ type: 'string', description: content, examples: ['<!doctype html>…'] }),
    },
  },
});
const PAGES = {
  200: page('The page.', 'A page with the state and a form.'),
  403: page('The link is not valid.', 'A page with the reason.'),
};

/** Pages behind the links in mails: they are the same for people and for mail programs that unsubscribe. */
export function recipientsRoutes(app: App, recipients: Pick<Recipients, 'read' | 'answer'>): void {
  const route = routes(app, { tag: 'Webhooks', scope: 'public' });

  route.get(
    PATH,
    {
      id: 'showMailRecipient',
      summary: 'Show the page of a link in a mail',
      description:
        'Shows a person whether an organization sends them mails, with buttons to agree or to stop. Opening it changes nothing, since mail servers open links, too.',
      params: MailRecipientParams,
      query: MailRecipientQuery,
      responses: PAGES,
      errors: [400, 404, 500, 503],
    },
    async ({ params: { orgId }, query: { address, token } }, reply) =>
      sendPage(reply, await recipients.read({ orgId, address }, token)),
  );

  route.post(
    PATH,
    {
      id: 'answerMailRecipient',
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      summary: 'Agree to mails, or stop them',
      description:
        'Stores what the recipient answers: without `answer`, mails stop, as mail programs request it (RFC 8058). Shows the page with the new state.',
      params: MailRecipientParams,
      query: MailRecipientQuery,
      body: MailAnswer,
      responses: PAGES,
      errors: [400, 404, 413, 415, 500, 503],
    },
    async (request, reply) => {
      const { params, query, body } = request;
      const key = { orgId: params.orgId, address: query.address };
      if (await recipients.read(key, query.token)) {
        await recipients.answer(key, body.answer === 'confirm', clientOf(request));
      }
      return sendPage(reply, await recipients.read(key, query.token));
    },
  );
}

function sendPage(reply: FastifyReply, consent: MailConsent | null): FastifyReply {
  return reply
    .code(consent ? 200 : 403)
    .headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(consent ? consentPage(consent) : invalidLinkPage());
}
