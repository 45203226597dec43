import { expect, test } from 'vitest';
import { type NewEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { addContact, addTask, openCase, registerAdmin } from '../../testing/factories.ts';

const { app, admin } = suite({ admin: registerAdmin });

async function addCall(id: string, contact: string) {
  const call = { direction: 'out', contact, name: null, number: null, seconds: null } as const;
  const body: Partial<NewEntry> & Pick<NewEntry, 'kind'> = {
    kind: 'call',
    call: { ...call, result: 'reached' },
  };
  const sent = { token: admin.token, params: { id }, body };
  return (await app.call(streamRoutes.addEntry, sent)).body.entry;
}
async function find(id: string, search: string) {
  const asked = { token: admin.token, params: { id }, query: { search } };
  const { items, total } = (await app.call(streamRoutes.readStream, asked)).body;
  expect(total).toBe(items.length);
  return items.map(({ title }) => title);
}

test('a search of the stream finds acts and the people called, however their letters are folded', async () => {
  const { id } = await openCase(app, admin.token);
  await addTask(app, admin.token, { case: id, assignedTo: admin.id, name: 'Große Straße' });
  const contact = await addContact(app, admin.token, { name: 'Οδυσσεύς Groß' });
  await addCall(id, contact.id);
  for (const word of ['Straße', 'STRASSE']) expect(await find(id, word)).toEqual(['Große Straße']);
  for (const word of ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'])
    expect(await find(id, word)).toEqual(['Call with Οδυσσεύς Groß']);
});

test('a search of the stream does not find a deleted call by the person called', async () => {
  const { id } = await openCase(app, admin.token);
  const contact = await addContact(app, admin.token, { name: 'Leopoldina Aparicio' });
  const entry = await addCall(id, contact.id);
  expect(await find(id, 'leopoldina')).toEqual(['Call with Leopoldina Aparicio']);
  await app.call(streamRoutes.deleteEntry, { token: admin.token, params: { id: entry.id } });
  expect(await find(id, 'leopoldina')).toEqual([]);
});
