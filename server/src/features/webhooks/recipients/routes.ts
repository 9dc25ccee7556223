import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { clientOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { problems } from '../problems.ts';
import { MailAnswer, MailRecipientParams, MailRecipientQuery } from '../schema.ts';
import { consentPage, invalidLinkPage, PAGE_POLICY } from './page.ts';
import type { MailConsent, Recipients } from './service.ts';

const PATH = '/api/mail-recipients/:org_id';
const PAGE = {
  200: {
    description: 'The page.',
    content: {
      'text/html': {
        schema: Type.Unsafe<unknown>({
          type: 'string',
          description: 'A page with the state and a form.',
          examples: ['<!doctype html>…'],
        }),
      },
    },
  },
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
      responses: PAGE,
      errors: [400, 403, 404, 500, 503],
    },
    async (request, reply) => {
      const { params, query } = request;
      return sendPage(
        request,
        reply,
        await recipients.read({ orgId: params.orgId, address: query.address }, query.token),
      );
    },
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
      responses: PAGE,
      errors: [400, 403, 404, 413, 415, 500, 503],
    },
    async (request, reply) => {
      const { params, query, body } = request;
      const key = { orgId: params.orgId, address: query.address };
      if (await recipients.read(key, query.token)) {
        await recipients.answer(key, body.answer === 'confirm', clientOf(request));
      }
      return sendPage(request, reply, await recipients.read(key, query.token));
    },
  );
}

/** A link that is not valid gets a page in browsers, and the common error elsewhere. */
function sendPage({ headers }: FastifyRequest, reply: FastifyReply, consent: MailConsent | null): FastifyReply {
  if (!consent && !headers.accept?.includes('text/html')) throw problems.mail_link_invalid();
  return reply
    .code(consent ? 200 : 403)
    .headers({ 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(consent ? consentPage(consent) : invalidLinkPage());
}
