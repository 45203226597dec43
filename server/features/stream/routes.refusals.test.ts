import { expect, test } from 'vitest';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import {
  openCase,
  registerUser,
  registerAdmin,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, admin, ada, ben } = suite({
  admin: registerAdmin,
  ada: registerUser,
  ben: registerUser,
});
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const later = () => new Date(Date.now() + 3_600_000).toISOString();

async function addNote(): Promise<string> {
  const { id } = await openCase(app, admin.token);
  const body = { kind: 'note', text: 'She works nights' } as const;
  const reply = await app.call(streamRoutes.addEntry, { token: ada.token, params: { id }, body });
  return reply.body.entry.id;
}
const send = async ({ token }: SignedInPerson, method: string, path: string, body: object) => {
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify(body) };
  return (await app.request(`/api/v1${path}`, sent)).status;
};

test('an entry whose text is null is refused as one without a text', async () => {
  const { id } = await openCase(app, admin.token);
  const headers = { 'x-auth-token': ada.token, 'content-type': 'application/json' };
  const body = JSON.stringify({ kind: 'note', text: null });
  const refused = await app.request(`/api/v1/cases/${id}/entries`, {
    method: 'POST',
    headers,
    body,
  });
  expect(refused).toMatchObject({ status: 400, message: 'Text is required' });
});

test('an entry of an unknown matter is refused for its own faults first', async () => {
  const post = (body: object) => send(ada, 'POST', `/cases/${UNKNOWN}/entries`, body);
  expect(await post({ kind: 'note', text: '' })).toBe(400);
  expect(await post({ kind: 'note', text: 'Hello', at: later() })).toBe(400);
  expect(await post({ kind: 'note', text: 'Hello' })).toBe(404);
});

test('an entry of another is refused for that first, whatever is sent', async () => {
  const id = await addNote();
  expect(await send(ben, 'PATCH', `/entries/${id}`, { text: 5 })).toBe(403);
  expect(await send(ben, 'PUT', `/entries/${id}/pin`, { pinned: 'yes' })).toBe(403);
  expect(await send(ben, 'POST', `/entries/${id}/move`, { case: '' })).toBe(403);
  expect(await send(ada, 'PATCH', `/entries/${id}`, { text: 5 })).toBe(400);
  expect(await send(ada, 'PATCH', `/entries/${UNKNOWN}`, { text: 5 })).toBe(400);
  expect(await send(ada, 'PATCH', `/entries/${UNKNOWN}`, { at: later() })).toBe(400);
  expect(await send(ada, 'PATCH', `/entries/${UNKNOWN}`, { text: 'Hello' })).toBe(404);
});

test('a change of a deleted entry is refused for its own faults first', async () => {
  const id = await addNote();
  await app.call(streamRoutes.deleteEntry, { token: ada.token, params: { id } });
  const patch = (body: object) => send(ada, 'PATCH', `/entries/${id}`, body);
  expect(await patch({ text: '' })).toBe(400);
  expect(await patch({ mentions: [UNKNOWN] })).toBe(400);
  expect(await patch({ at: later() })).toBe(400);
  expect(await patch({ call: { direction: 'in' } })).toBe(400);
  expect(await patch({ text: 'Again' })).toBe(409);
  expect(await patch({ mentions: [] })).toBe(409);
  const move = (to: string) =>
    send(ada, 'POST', `/entries/${id}/move`, { case: to, reason: 'Wrong matter' });
  expect(await move(UNKNOWN)).toBe(400);
  expect(await move((await openCase(app, admin.token)).id)).toBe(409);
});
