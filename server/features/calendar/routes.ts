// Events, their items on a calendar, files, feeds and invitations.

import type { FastifyRequest } from 'fastify';
import {
  exchangeRoutes,
  ICS_BYTES_MAX,
  EventImportFieldsSchema,
  feedRoutes,
  eventInvitationRoutes,
} from '@matterdesk/contract/calendar-exchange.ts';
import { gridRoutes } from '@matterdesk/contract/calendar-grid.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Binder } from '../../http/bind.ts';
import { sendContent } from '../../http/content.ts';
import { JsonBody } from '../../http/json-body.ts';
import { readBytes, readUpload } from '../../http/upload.ts';
import { validate } from '../../http/validate.ts';
import {
  type IncomingEvents,
  importEvents,
  readEventFile,
  tryEventImport,
} from './exchange/service.ts';
import { addFeed, listFeeds, readFeed, revokeFeed } from './feeds/service.ts';
import { inviteGuests, takeEventInvitation } from './invitations/service.ts';
import { readCalendar, readCalendarGrid } from './service.items.ts';
import { addEvent, changeEvent, readEvent, requireMayEditEvent } from './service.ts';

export function serveCalendar(binder: Binder) {
  serveExchange(binder);
  serveFeeds(binder);
  serveInvitations(binder);
  binder.serve(gridRoutes, {
    readCalendarGrid: async ({ context, query }) =>
      JsonBody.of(await readCalendarGrid(context, context.actor, query)),
  });
  binder.serve(calendarRoutes, {
    readCalendar: ({ context, query }) => readCalendar(context, context.actor, query),
    addEvent: ({ context, body, once }) => addEvent(context, body, once),
    readEvent: ({ context, params }) => readEvent(context, params.id),
    changeEvent: {
      guard: ({ context, params }) => requireMayEditEvent(context, params.id),
      handle: ({ context, params, query, body }) =>
        changeEvent(context, params.id, { asked: body, scope: query.scope ?? 'this' }),
    },
  });
}

function serveExchange(binder: Binder) {
  binder.serve(exchangeRoutes, {
    readEventFile: async ({ context, params, note, request, reply }) => {
      const content = await readEventFile(context, params.id);
      await sendContent(content, { isDownload: true, note, request, reply });
      return undefined;
    },
    importEvents: async ({ context, query, request, reply }) => {
      const incoming = await readEvents(request);
      if (query.dryRun !== '1') return { items: await importEvents(context, incoming) };
      // Nothing was created.
      const body = { items: await tryEventImport(context, incoming) };
      const statusCode = exchangeRoutes.importEvents.otherStatus;
      await reply.code(statusCode).send({ statusCode, message: 'OK', body });
      return undefined;
    },
  });
}

/** @throws Refusal invalidInput, tooLarge */
async function readEvents(request: FastifyRequest): Promise<IncomingEvents> {
  const limits = { bytes: ICS_BYTES_MAX, files: 1 };
  const fields = new Map<string, string>();
  let text: string | undefined;
  for await (const part of readUpload(request, exchangeRoutes.importEvents, limits)) {
    if ('field' in part) {
      fields.set(part.field, part.value.trim());
      continue;
    }
    text = new TextDecoder().decode(await readBytes(part, ICS_BYTES_MAX));
  }
  if (text === undefined) throw invalidField('file', 'Choose a file');
  const { kind } = validate(EventImportFieldsSchema, { kind: fields.get('kind') || undefined });
  return { text, kind, caseId: fields.get('caseId') || null };
}

function serveFeeds(binder: Binder) {
  binder.serve(feedRoutes, {
    listFeeds: ({ context }) => listFeeds(context),
    addFeed: ({ context, body }) => addFeed(context, body),
    revokeFeed: async ({ context, params }) => {
      await revokeFeed(context, params.id);
      return null;
    },
    readFeed: async ({ context, params, request, reply }) => {
      const { tag, text } = await readFeed(context, params.token, request.headers['if-none-match']);
      void reply.header('etag', tag).header('cache-control', 'private, no-cache');
      if (text) void reply.type('text/calendar; charset=utf-8');
      await reply.code(text ? 200 : 304).send(text ?? undefined);
      return undefined;
    },
  });
}

function serveInvitations(binder: Binder) {
  binder.serve(eventInvitationRoutes, {
    inviteGuests: {
      guard: ({ context, params }) => requireMayEditEvent(context, params.id),
      handle: ({ context, params, body, once }) =>
        inviteGuests(context, { ...body, ...params }, once),
    },
    takeInvitation: ({ context, params, body, once }) =>
      takeEventInvitation(context, { ...body, ...params }, once),
  });
}
