// Twilio's webhooks: texts and statuses.

import type { FastifyRequest } from 'fastify';
import { textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import type { Binder } from '../../../http/bind.ts';
import type { Form } from '../../../http/bodies.ts';
import { receiveText, updateTextStatus, type Webhook } from './service.ts';

/** An empty reply: Twilio sends nothing back. */
const NO_REPLY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

export function serveWebhooks(binder: Binder) {
  binder.serve(textWebhookRoutes, {
    receiveText: async ({ context, request, reply }) => {
      await receiveText(context, webhookOf(request));
      await reply.type('text/xml; charset=utf-8').send(NO_REPLY);
      return undefined;
    },
    receiveStatus: async ({ context, request, reply }) => {
      await updateTextStatus(context, webhookOf(request));
      await reply.send();
      return undefined;
    },
  });
}

function webhookOf(request: FastifyRequest): Webhook {
  const signature = request.headers['x-twilio-signature'];
  const start = request.url.indexOf('?');
  return {
    query: start === -1 ? '' : request.url.slice(start),
    signature: typeof signature === 'string' ? signature : '',
    form: (request.body ?? {}) as Form,
  };
}
