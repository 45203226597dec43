import { beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { nowAt } from '../../../core/dates.ts';
import { openCase, registerAdmin } from '../../../testing/factories.ts';
import { pagesOf } from '../../../testing/papers.ts';
import { registerWithNumber, textSuite } from '../../../testing/texting.ts';
import { loopBlocksDuring } from '../../../testing/usage.ts';

const CLIENT = '+12125550100';
const { app, twilio, line, admin } = textSuite({
  line: registerWithNumber,
  admin: registerAdmin,
});
let matter: Case;

beforeAll(async () => {
  matter = await openCase(app, admin.token, { caseName: 'Doe v. Roe' });
});

const keep = (body: object, token = line.token) =>
  app.call(messageRoutes.exportConversation, { token, body });
const read = async (url: string) => {
  const response = await fetch(app.url + url, { headers: { 'x-auth-token': line.token } });
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return pagesOf(response);
};

describe('a transcript', () => {
  test('contains texts of both sides in every alphabet, with times, numbers, statuses and page numbers', async () => {
    const { phoneNumber, token } = line;
    const body = { from: phoneNumber, to: CLIENT, message: 'Привет, Ελλάδα, Łódź 😀' };
    await app.call(messageRoutes.sendText, { token, body });
    await twilio.advance(twilio.messages.at(-1)?.sid ?? '', 'undelivered', 30005);
    await twilio.receive({ to: phoneNumber, from: CLIENT, body: 'Grüße\n‮evil' });
    const reply = await keep({ from: phoneNumber, to: CLIENT, caseId: matter.id });
    expect(reply).toMatchObject({ status: 201, message: 'Conversation exported' });
    expect(reply.body.url).toContain(
      `/api/v1/files/content/${matter.id}/Text%20messages/Texts%20with`,
    );
    const [page = ''] = await read(reply.body.url);
    for (const shown of [
      'Text messages with +12125550100',
      'Doe v. Roe',
      'Привет, Ελλάδα, Łódź ‹U+1F600›',
      'Grüße',
      '‹U+202E›evil',
      `${phoneNumber} to ${CLIENT}`,
      `${CLIENT} to ${phoneNumber}`,
      'undelivered',
      'Error 30005',
      'UTC',
      'End of transcript: 2 messages',
      'Page 1 of 1',
    ])
      expect(page).toContain(shown);
  });

  test('of a long conversation has all pages in order, without blocking other requests', async () => {
    await app.pool.query(
      `insert into text_messages (owner_id, own_number, other_number, is_inbound, body, status, sent_at)
       select $1, $2, '+12125550101', n % 2 = 0, 'Line ' || n, 'delivered', now() + n * interval '1 second'
       from generate_series(1, 1000) n`,
      [line.id, line.phoneNumber],
    );
    const exported = keep({ from: line.phoneNumber, to: '+12125550101', caseId: matter.id });
    const state = { isDone: false };
    const done = exported.finally(() => (state.isDone = true));
    const { longest } = await loopBlocksDuring(async () => {
      while (!state.isDone) expect((await app.request('/healthz')).status).toBe(200);
      await done;
    });
    const pages = await read((await exported).body.url);
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.at(-1)).toContain('End of transcript: 1000 messages');
    const found = [...pages.join('\n').matchAll(/Line (\d+)/g)].map(([, number]) => Number(number));
    expect(found).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    expect(longest).toBeLessThan(1000);
  });

  // It is always another day in one of them.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'is named for the day of a firm in %s',
    async (timeZone) => {
      const { token } = admin;
      await app.call(firmRoutes.changeFirm, { token, body: { timeZone } });
      const reply = await keep({ from: line.phoneNumber, to: CLIENT, caseId: matter.id });
      expect(reply.body.url).toContain(`%20${nowAt(new Date(), timeZone).day}`);
    },
  );

  test('requires the user’s own number, a conversation and an existing case', async () => {
    const other = await registerWithNumber(app);
    const body = { from: line.phoneNumber, to: CLIENT, caseId: matter.id };
    expect(await keep(body, other.token)).toMatchObject({ status: 403 });
    expect(await keep({ ...body, to: '+12125559999' })).toMatchObject({
      status: 404,
      message: 'Conversation not found',
    });
    expect(await keep({ ...body, caseId: line.id })).toMatchObject({
      status: 400,
      message: 'Please select any case',
    });
  });
});
