// Texts and statuses from Twilio's webhooks and records.

import type { FastifyRequest } from 'fastify';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import type { Binder } from '../../../http/bind.ts';
import { readForm } from '../../../http/form-body.ts';
import type { Called, InboundService } from './service.ts';

/** An empty reply: Twilio sends nothing back. */
const NO_REPLY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

export function bindWebhooks(binder: Binder, inbound: InboundService) {
  binder.bind(messageRoutes.receiveText, async ({ request, reply }) => {
    await inbound.receive(calledBy(request));
    await reply.type('text/xml; charset=utf-8').send(NO_REPLY);
    return undefined;
  });
  binder.bind(messageRoutes.receiveStatus, async ({ request, reply }) => {
    await inbound.updateStatus(calledBy(request));
    await reply.code(204).send();
    return undefined;
  });
}

function calledBy(request: FastifyRequest): Called {
  const signature = request.headers['x-twilio-signature'];
  const start = request.url.indexOf('?');
  return {
    query: start === -1 ? '' : request.url.slice(start),
    signature: typeof signature === 'string' ? signature : '',
    form: readForm(request),
  };
}
