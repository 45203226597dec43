import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  addIntake,
  newCase,
  noticesOf,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app } = suite({});
let lead: SignedInPerson;
let colleague: SignedInPerson;
/** Manages walls, and has no access. */
let admin: SignedInPerson;
let puppet: SignedInPerson;

beforeAll(async () => {
  lead = await registerWith(app, { createCases: true, handleIntakes: true });
  colleague = await registerUser(app);
  admin = await registerAdmin(app);
});

beforeEach(async () => {
  puppet = await registerUser(app);
});

type Place = { kind: string; id: string };

const places = {
  cases: async () => (await openCase(app, lead.token, { assignedUsers: [lead.id] })).id,
  intakes: async () => (await addIntake(app, lead.token)).id,
};

const readAccess = async (params: Place, { token } = lead) =>
  (await app.call(accessRoutes.readAccess, { token, params })).body.access;
async function put(by: SignedInPerson, params: Place, own: Partial<AccessChange>, query = {}) {
  const { updatedAt } = await readAccess(params, admin);
  const usual = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity' } as const;
  const body = { ...usual, updatedAt, ...own };
  return app.call(accessRoutes.changeAccess, { token: by.token, params, query, body });
}
function openInEmergency(params: Place, by = admin) {
  const body = { reason: 'A hearing today', hours: 2 };
  return app.call(accessRoutes.openAccess, { token: by.token, params, body });
}

describe.each(['cases', 'intakes'] as const)(
  'without access to one of the restricted %s',
  (kind) => {
    let place: Place;
    const sees = async ({ token }: SignedInPerson) => {
      const route = kind === 'cases' ? caseRoutes.readCase : intakeRoutes.readIntake;
      return (await app.call(route, { token, params: { id: place.id } })).status === 200;
    };

    beforeEach(async () => {
      place = { kind, id: await places[kind]() };
      await put(lead, place, { people: [colleague.id] });
    });

    test.each([{}, { dryRun: '1' }])(
      'no one lets a person in or opens it, with %j',
      async (query) => {
        const people = [colleague.id, puppet.id];
        expect(await put(admin, place, { people }, query)).toMatchObject(NOT_PERMITTED);
        expect(await put(admin, place, { mode: 'open' }, query)).toMatchObject(NOT_PERMITTED);
        expect([await sees(puppet), await sees(admin)]).toEqual([false, false]);
      },
    );

    test('those who manage walls remove and screen people, and do not lift the screen of its people', async () => {
      const screened = [{ person: colleague.id, reason: 'Prior firm' }];
      expect(await put(admin, place, { people: [], reason: null })).toMatchObject({ status: 200 });
      expect(await sees(colleague)).toBe(false);
      await put(lead, place, { people: [puppet.id] });
      expect(await put(admin, place, { people: [puppet.id], screened })).toMatchObject({
        status: 200,
      });
      const ownerOut = [{ person: lead.id, reason: 'Prior firm' }];
      expect(await put(admin, place, { people: [puppet.id], screened: ownerOut })).toMatchObject({
        status: 200,
      });
      expect(await put(admin, place, { people: [puppet.id] })).toMatchObject(NOT_PERMITTED);
      expect([await sees(puppet), await sees(lead)]).toEqual([true, false]);
    });

    test('opening it for a time lets no one else in, by access or by an assignment', async () => {
      expect(await openInEmergency(place)).toMatchObject({ status: 200 });
      expect(await put(admin, place, { people: [puppet.id] })).toMatchObject(NOT_PERMITTED);
      expect(await put(admin, place, { mode: 'open' })).toMatchObject(NOT_PERMITTED);
      const { token } = admin;
      const params = { id: place.id };
      const handOn =
        kind === 'cases'
          ? app.call(caseRoutes.changeCase, {
              token,
              params,
              body: { assignedUsers: [lead.id, puppet.id] },
            })
          : app.call(intakeRoutes.changeIntake, { token, params, body: { owner: puppet.id } });
      expect(await handOn).toMatchObject(NOT_PERMITTED);
      expect(await sees(puppet)).toBe(false);
    });

    test('where no one is left, a user who opened it for a time lets people in, not themselves', async () => {
      await put(lead, place, { people: [] });
      const owner = (await readAccess(place)).people[0]?.person.id;
      expect(owner).toBe(lead.id);
      const deactivate = { token: admin.token, params: { id: lead.id } };
      await app.call(accountRoutes.deactivateUser, deactivate);
      expect(await put(admin, place, { people: [puppet.id] })).toMatchObject(NOT_PERMITTED);
      await openInEmergency(place);
      expect(await put(admin, place, { people: [admin.id] })).toMatchObject(NOT_PERMITTED);
      expect(await put(admin, place, { people: [puppet.id] })).toMatchObject({ status: 200 });
      expect(await sees(puppet)).toBe(true);
      await app.pool.query('update users set active = true where id = $1', [lead.id]);
      lead = await registerWith(app, { createCases: true, handleIntakes: true });
    });

    test('opening it for a time leaves a notice with everyone who has access, and who manages walls', async () => {
      const keeper = await registerWith(app, { manageWalls: true });
      const screened = await registerWith(app, { manageWalls: true });
      const out = [{ person: screened.id, reason: 'Prior firm' }];
      await put(lead, place, { people: [colleague.id], screened: out });
      const { body } = await openInEmergency(place);
      const who = `${admin.firstName} ${admin.lastName}`;
      const { firm } = (await app.call(firmRoutes.readFirm, { token: admin.token })).body;
      const until = `until ${new Intl.DateTimeFormat('en-US', {
        timeZone: firm.timeZone,
        dateStyle: 'medium',
        timeStyle: 'short',
      })
        .format(new Date(body.until))
        .replaceAll('\u202F', ' ')}`;
      const it = kind === 'cases' ? 'matter' : 'intake';
      for (const person of [lead, colleague])
        expect((await noticesOf(app, person))[0]).toMatchObject({
          type: 'access',
          title: `${who} opened this ${it} ${until}: “A hearing today”`,
          item: { type: kind === 'cases' ? 'case' : 'intake', id: place.id },
        });
      const [notice] = await noticesOf(app, keeper);
      expect(notice).toMatchObject({ title: `${who} opened a walled matter ${until}`, item: null });
      const none = [
        ...(await noticesOf(app, screened)),
        ...(await noticesOf(app, admin)),
        ...(await noticesOf(app, puppet)),
      ];
      expect(none.filter(({ title }) => title.includes(until))).toEqual([]);
      // The notice stays behind the wall.
      await put(lead, place, { people: [], screened: out });
      expect(JSON.stringify(await noticesOf(app, colleague))).not.toContain(place.id);
    });
  },
);

test('an intake that was opened for a time becomes no matter of someone without access', async () => {
  const intake = await addIntake(app, lead.token, { name: 'Ann Smith' });
  const place = { kind: 'intakes', id: intake.id };
  const { token } = lead;
  const names = [{ name: 'Ann Smith', role: null, emails: [], phoneNumbers: [], otherNames: [] }];
  const run = await app.call(conflictRoutes.runCheck, {
    token,
    body: { names, intakeId: place.id, texts: false },
  });
  await app.call(conflictRoutes.concludeCheck, {
    token: admin.token,
    params: { id: run.body.check.id },
    body: { outcome: 'cleared', reason: 'No one else' },
  });
  await put(lead, place, {});
  await openInEmergency(place);
  const body = { ...newCase({ assignedUsers: [puppet.id] }), opposingCounselInfo: null };
  const accept = (by: SignedInPerson, own: object) =>
    app.call(acceptingRoutes.acceptIntake, {
      token: by.token,
      params: { id: place.id },
      body: { ...body, ...own },
    });
  expect(await accept(admin, {})).toMatchObject(NOT_PERMITTED);
  expect(await accept(lead, { assignedUsers: [lead.id, puppet.id] })).toMatchObject({
    status: 201,
  });
});
