// Public forms: for administrators, who build them, and for visitors, who send them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import type { Context } from '../../../context.ts';
import type { Binder } from '../../../http/bind.ts';
import { readSentForm } from '../../../http/bodies.ts';
import { clientOf } from '../../../http/client.ts';
import { expectUpload } from '../../../http/connections.ts';
import { drainBody } from '../../../http/upload.ts';
import { type Answer, showForm, submitForm, thankSender } from './service.pages.ts';
import { addForm, changeForm, listForms } from './service.ts';

export function serveForms(binder: Binder) {
  binder.serve(intakeFormRoutes, {
    listForms: ({ context }) => listForms(context),
    addForm: ({ context, body, once }) => addForm(context, body, once),
    changeForm: ({ context, params, body }) => changeForm(context, params.id, body),
  });
}

type FormRequest = { Params: { slug: string }; Querystring: { source?: unknown } };

/** Serves the forms to anyone, without a script and without a cookie. */
export function serveFormPages(app: FastifyInstance, context: Context) {
  app.get<FormRequest>('/intake/:slug', async ({ params, query }, reply) =>
    send(reply, await showForm(context, params.slug, query.source)),
  );
  app.get<FormRequest>('/intake/:slug/thanks', async ({ params }, reply) =>
    send(reply, await thankSender(context, params.slug)),
  );
  app.post<FormRequest>(
    '/intake/:slug',
    { config: { takesFiles: true } },
    async (request, reply) => {
      const attempt = {
        slug: request.params.slug,
        client: clientOf(request).network,
        read(limits: Parameters<typeof readSentForm>[1]) {
          expectUpload(request.raw);
          return readSentForm(request, limits);
        },
      };
      const answer = await submitForm(context, attempt).finally(() => drainBody(request));
      return send(reply, answer);
    },
  );
}

function send(reply: FastifyReply, answer: Answer) {
  if ('location' in answer) return reply.redirect(answer.location, answer.status);
  const { status, page, isFramed, retryAfter } = answer;
  // This header cannot name origins; the policy does.
  if (isFramed) void reply.removeHeader('x-frame-options');
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .header('content-security-policy', page.policy)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.html);
}
