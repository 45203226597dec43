import { expect, test } from 'vitest';
import { alertRoutes, conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { openCase, registerAdmin } from '../../../testing/factories.ts';
import { suite } from '../../../testing/suite.ts';

const { app } = suite({}, { jobs: false });
const partyOf = (name: string, index: number) => ({
  name,
  email: `party${index}@apart.example`,
  phoneNumber: `+1 518 555 0${100 + index}`,
  address: `${index} Main Street`,
});

test('a name that is entered now is reported before those that wait since an import', async () => {
  const { token } = await registerAdmin(app);
  await openCase(app, token, { clientInfo: partyOf('Barnaby Quillfeather', 0) });
  await openCase(app, token, { clientInfo: partyOf('Seraphina Dunmore', 1) });
  const against = (name: string, index: number) => ({
    ...partyOf(name, index),
    organization: `Bar of ${index}`,
  });
  const opened: string[] = [];
  for (let index = 2; index < 32; index += 1) {
    const [client, opposing] = [`Only${index} Apart${index}`, `None${index} Else${index}`];
    const name = { 2: 'Barnaby Quillfeather', 31: 'Seraphina Dunmore' }[index] ?? opposing;
    const { id } = await openCase(app, token, {
      clientInfo: partyOf(client, index),
      opposingCounselInfo: against(name, index + 30),
    });
    opened.push(id);
  }
  await app.raiseAlerts();
  const { body } = await app.call(alertRoutes.listAlerts, { token, query: { decided: '0' } });
  const newestFirst = body.alerts.map(({ asked }) => asked.name);
  expect(newestFirst.indexOf('Barnaby Quillfeather')).toBeLessThan(
    newestFirst.lastIndexOf('Seraphina Dunmore'),
  );
  // Steps are of twenty matters; none is left.
  for (const caseId of opened) {
    const list = await app.call(conflictRoutes.listChecks, { token, query: { caseId } });
    expect(list.body.checks).toHaveLength(1);
  }
});
