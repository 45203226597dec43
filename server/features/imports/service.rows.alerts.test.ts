import { expect, test } from 'vitest';
import { alertRoutes } from '@matterdesk/contract/conflicts.ts';
import { suite } from '../../testing/app.ts';
import { noticesOf, openCase, registerAdmin } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';

const { app, admin } = suite({ admin: registerAdmin });
const api = () => importsOf(app, admin);

test('a run sends no notice, and says once what its names match', async () => {
  await openCase(app, admin.token, {
    clientInfo: {
      name: 'Zebulon Quarrington',
      phoneNumber: '1 555 010 9090',
      email: 'zebulon@client.example',
      address: '1 Main Street',
    },
  });
  await app.raiseAlerts();
  const socket = await app.socket(admin.token);
  const alerts: unknown[] = [];
  socket.on('conflict.alerted', (alert) => alerts.push(alert));
  const rows = [1, 2, 3].map((n) => `70${n},N-${n},Foe ${n},Client One,PI,Zebulon Quarrington`);
  const added = await api().add({
    'contacts.csv': lines('Id,First name,Last name', '701,Client,One'),
    'matters.csv': lines('Id,Number,Name,Client,Type,Opposing counsel', ...rows),
  });
  expect(await api().run(added.id)).toMatchObject({ state: 'done' });
  await app.raiseAlerts();
  const { body } = await app.call(alertRoutes.listAlerts, { token: admin.token, query: {} });
  expect(body.alerts.length).toBeGreaterThan(1);
  await expect.poll(() => alerts.length).toBe(1);
  expect(await noticesOf(app, admin)).toEqual([]);
});
