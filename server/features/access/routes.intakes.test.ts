import { beforeEach, describe, expect, test } from 'vitest';
import { type Access, type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import {
  addIntake,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, owner, handler, stranger, admin } = suite({
  owner: (to) => registerWith(to, { createCases: true, handleIntakes: true }),
  handler: (to) => registerWith(to, { createCases: true, handleIntakes: true }),
  stranger: registerUser,
  admin: registerAdmin,
});

let intake: Intake;
beforeEach(async () => {
  intake = await addIntake(app, owner.token);
});

const params = () => ({ kind: 'intakes', id: intake.id });
const read = ({ token }: SignedInPerson = owner) =>
  app.call(accessRoutes.readAccess, { token, params: params() });
async function put(person: SignedInPerson, own: Partial<AccessChange>, query = {}) {
  const { updatedAt } = (await read(admin)).body.access;
  const usual = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity' } as const;
  const body = { ...usual, updatedAt, ...own };
  return app.call(accessRoutes.changeAccess, {
    token: person.token,
    params: params(),
    body,
    query,
  });
}
const screen = (person: SignedInPerson) => [{ person: person.id, reason: 'Prior firm' }];
const sees = async ({ token }: SignedInPerson) =>
  (await app.call(intakeRoutes.readIntake, { token, params: { id: intake.id } })).status === 200;
const readers = async () =>
  [await sees(owner), await sees(handler), await sees(stranger), await sees(admin)].join(' ');
const personOf = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });

describe('an intake', () => {
  test('is seen by its people alone once it is restricted, and as before once it is open again', async () => {
    expect(await readers()).toBe('true true false true');
    const { body } = await put(owner, { people: [stranger.id] });
    expect(body).toMatchObject({
      access: {
        mode: 'restricted',
        people: [
          { person: personOf(owner), why: 'assigned' },
          { person: personOf(stranger), why: 'added' },
        ],
        history: [{ action: 'restricted', people: [personOf(stranger)], reason: 'Celebrity' }],
      },
    });
    expect(await readers()).toBe('true false true false');
    await put(owner, { mode: 'open', people: [stranger.id], reason: 'Announced' });
    expect(await readers()).toBe('true true true true');
    await put(owner, { mode: 'open', reason: null });
    expect(await readers()).toBe('true true false true');
  });

  test('hides from the screened, even from its owner, and is handed on to none of them', async () => {
    await put(admin, { mode: 'open', screened: [...screen(owner), ...screen(handler)] });
    expect(await readers()).toBe('false false false true');
    expect(await read(handler)).toMatchObject({ status: 404 });
    const { token } = admin;
    const body = { owner: handler.id };
    const message = `${handler.firstName} ${handler.lastName} is screened from this matter`;
    expect(
      await app.call(intakeRoutes.changeIntake, { token, params: { id: intake.id }, body }),
    ).toMatchObject({ status: 409, message });
  });

  test('counts who would see it among those who handle intakes', async () => {
    const screened = screen(handler);
    const { body: before } = await put(owner, { mode: 'open', reason: null }, { dryRun: '1' });
    const { body: after } = await put(owner, { mode: 'open', screened }, { dryRun: '1' });
    expect(after).toEqual({ sees: 'sees' in before ? before.sees - 1 : 0, loses: 1 });
    expect(await put(owner, {}, { dryRun: '1' })).toMatchObject({ body: { sees: 1 } });
  });

  test('notifies those who lose it and those who gain it, and not those who never saw it', async () => {
    const [losing, apart] = [await app.socket(handler.token), await app.socket(stranger.token)];
    const received: string[] = [];
    const isOwn = ({ id }: { id: string }) => id === intake.id;
    apart.onAny((name: string, payload: { id: string }) => {
      if (isOwn(payload)) received.push(name);
    });
    const lost = nextEvent(losing, 'access.changed', isOwn);
    await put(owner, {});
    expect(await lost).toEqual({ id: intake.id });
    const gained = nextEvent(apart, 'access.changed', isOwn);
    await put(owner, { people: [stranger.id], reason: null });
    expect(await gained).toEqual({ id: intake.id });
    expect(received).toEqual(['access.changed']);
  });

  test('opens to those who manage walls for some hours, with a reason that stays', async () => {
    await put(owner, {});
    const { token } = admin;
    const body = { reason: 'The judge calls', hours: 1 };
    const socket = await app.socket(owner.token);
    const opening = nextEvent(socket, 'access.opened', ({ id }) => id === intake.id);
    const opened = await app.call(accessRoutes.openAccess, { token, params: params(), body });
    expect(opened.status).toBe(200);
    expect(await opening).toMatchObject({ id: intake.id, person: personOf(admin) });
    expect(await sees(admin)).toBe(true);
    await app.pool.query(`update base.intake_access set until = now() where until is not null`);
    expect(await sees(admin)).toBe(false);
    const { history } = (await read(owner)).body.access satisfies Access;
    expect(history).toMatchObject([{ action: 'glassOpened', reason: 'The judge calls' }, {}]);
  });

  test('is listed with the matters behind walls, page by page', async () => {
    await put(owner, {});
    const first = intake;
    intake = await addIntake(app, owner.token);
    await put(owner, {});
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: { limit: number; cursor?: string } = { limit: 1, ...(cursor && { cursor }) };
      const page = await app.call(accessRoutes.listAccess, { token: admin.token, query });
      listed.push(...page.body.matters.map(({ id }) => id));
      cursor = page.body.nextCursor;
    }
    expect(listed.filter((id) => id === first.id || id === intake.id)).toEqual([
      intake.id,
      first.id,
    ]);
  });

  test('shows a conflict check only whom to ask', async () => {
    const name = `Xiomara Vandeleur ${intake.number}`;
    const { token } = owner;
    await app.call(intakeRoutes.changeIntake, { token, params: { id: intake.id }, body: { name } });
    await put(owner, {});
    const names = [{ name, role: null, emails: [], phoneNumbers: [], otherNames: [] }];
    const { body } = await app.call(conflictRoutes.lookForConflicts, {
      token: handler.token,
      body: { names },
    });
    expect(body.hits).toMatchObject([{ severity: 'hidden', ask: [personOf(owner)] }]);
    expect(JSON.stringify(body)).not.toContain('Xiomara');
  });
});
