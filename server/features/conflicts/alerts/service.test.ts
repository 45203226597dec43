import { expect, test, vi } from 'vitest';
import { alertRoutes, conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { storageRoutes } from '@matterdesk/contract/storage.ts';
import { suite } from '../../../testing/app.ts';
import { openCase, registerAdmin } from '../../../testing/factories.ts';

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
  // None is left.
  for (const caseId of opened) {
    const list = await app.call(conflictRoutes.listChecks, { token, query: { caseId } });
    expect(list.body.checks).toHaveLength(1);
  }
});

test('a name is reported before all matters of an import are checked, however long these take', async () => {
  const { token } = await registerAdmin(app);
  const name = 'Peregrine Ashdown';
  await openCase(app, token, { clientInfo: partyOf(name, 60) });
  await app.raiseAlerts();
  for (let index = 61; index < 75; index += 1)
    await openCase(app, token, {
      clientInfo: partyOf(`Lone${index} Sole${index}`, index),
      opposingCounselInfo: {
        ...partyOf(index === 61 ? name : `Aside${index} Beside${index}`, index + 20),
        organization: `Bar of ${index}`,
      },
    });
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  await app.raiseAlerts();
  clock.mockRestore();
  const { rows } = await app.pool.query(
    `select (select min(at) from conflict_alerts where name ->> 'name' = $1)
      < (select max(at) from base.conflict_checks) as "isEarly"`,
    [name],
  );
  expect(rows).toEqual([{ isEarly: true }]);
});

test('two new matters of one client find each other, though the client is searched once', async () => {
  const { token } = await registerAdmin(app);
  const clientInfo = partyOf('Thessaly Brackenridge', 90);
  const opened = [
    await openCase(app, token, { clientInfo }),
    await openCase(app, token, { clientInfo }),
  ];
  await app.raiseAlerts();
  const found = await Promise.all(
    opened.map(async ({ id: caseId }) => {
      const { body } = await app.call(conflictRoutes.listChecks, { token, query: { caseId } });
      const hits = body.checks.flatMap((check) => check.hits);
      return new Set(hits.flatMap((hit) => ('found' in hit ? (hit.found.case?.id ?? []) : [])));
    }),
  );
  expect(found.map((ids, at) => [...ids].includes(opened[1 - at]?.id ?? ''))).toEqual([true, true]);
});

test('the matters and names that wait are counted in the metrics and in the storage, until they are checked', async () => {
  const { token } = await registerAdmin(app);
  await app.raiseAlerts();
  const metrics = async (kind: string) => {
    const { text } = await app.request('/metrics');
    const line = new RegExp(`^conflict_checks_waiting\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text);
    return Number(line?.[1]);
  };
  expect([await metrics('cases'), await metrics('names')]).toEqual([0, 0]);
  await openCase(app, token, { clientInfo: partyOf('Ignatia Fallowfield', 91) });
  const { waiting } = (await app.call(storageRoutes.readStorage, { token })).body;
  expect(waiting).toEqual({ cases: 1, names: expect.any(Number) as number });
  expect(waiting.names).toBeGreaterThan(0);
  expect([await metrics('cases'), await metrics('names')]).toEqual([1, waiting.names]);
  await app.raiseAlerts();
  expect([await metrics('cases'), await metrics('names')]).toEqual([0, 0]);
});
