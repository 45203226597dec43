import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineRoute } from '@matterdesk/contract/route.ts';
import { readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { createLog } from '../log.ts';
import { Binder } from './bind.ts';
import { createHttp } from './create.ts';

const route = defineRoute({
  method: 'GET',
  path: '/api/v1/person',
  summary: 'A person',
  access: 'anyone',
  reply: z.object({ name: z.string(), cases: z.array(z.object({ id: z.string() })) }),
  message: 'OK',
});

async function replyWith(found: unknown) {
  const http = createHttp(readConfig({}), createLog('silent'));
  const gate = () => Promise.reject(new Error('no one signs in here'));
  const missingSetup = { google: null, twilio: null };
  const binder = new Binder(http, gate, { context: {} as Context, missingSetup });
  binder.serve({ route }, { route: async () => found as never });
  const reply = await http.inject(route.path);
  await http.close();
  return reply;
}

test('a reply has what its schema names, and nothing else that a store returned', async () => {
  const secret = { passwordHash: '$argon2id$' };
  const reply = await replyWith({ name: 'Ada', cases: [{ id: '7', ...secret }], ...secret });
  expect(reply.json()).toMatchObject({ body: { name: 'Ada', cases: [{ id: '7' }] } });
  expect(reply.body).not.toContain('passwordHash');
});

test('a reply that does not fit its schema is not sent', async () => {
  const reply = await replyWith({ name: 5, cases: [] });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toMatchObject({ code: 'unexpected', body: null });
});
