import { expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { startTestApp } from '../../testing/app.ts';
import { csvOf, newRow, sendImport } from '../../testing/case-files.ts';
import { registerAdmin, registerUser } from '../../testing/factories.ts';
import { loopBlocksDuring } from '../../testing/usage.ts';

test('broadcasts five thousand imported rows while the server stays responsive', async () => {
  const app = await startTestApp();
  const admin = await registerAdmin(app);
  const user = await registerUser(app);
  const socket = await app.socket(user.token);
  let received = 0;
  socket.on('case.created', () => (received += 1));
  const form = new FormData();
  const file = csvOf(Array.from({ length: 5000 }, () => newRow()));
  form.append('file', new Blob([file], { type: 'text/csv' }), 'cases.csv');
  const untilOver = async (): Promise<void> => {
    expect((await app.call(accountRoutes.me, { token: user.token })).status).toBe(200);
    if (received < 5000) await untilOver();
  };
  const { longest } = await loopBlocksDuring(async () => {
    const report = sendImport(app, admin.token, { form });
    await untilOver();
    expect((await report).body).toMatchObject({ rows: 5000, created: 5000, errors: [] });
  });
  const { rows } = await app.pool.query('select count(*)::int as n from cases');
  expect(rows).toEqual([{ n: 5000 }]);
  expect(longest).toBeLessThan(250);
  await app.close();
}, 600_000);
