import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import { registerAdmin, registerManager } from '../../testing/factories.ts';

const { app, admin, manager } = suite({ admin: registerAdmin, manager: registerManager });

function change({ token }: { token: string }, id: string, patch: object) {
  return app.call(accountRoutes.changeUser, { token, params: { id }, body: patch });
}

function deactivate({ token }: { token: string }, id: string) {
  return app.call(accountRoutes.deactivateUser, { token, params: { id } });
}

async function read(id: string) {
  return (await app.pool.query('select * from users where id = $1', [id])).rows[0] as unknown;
}

describe('an admin', () => {
  test.each([
    ['reactivated', false, { active: true }],
    ['renamed', true, { firstName: 'Mallory' }],
    ['deactivated', true, { active: false }],
    ['changed in an unknown field', true, { color: 'red' }],
  ])('is not %s by a manager of users', async (_, active, patch) => {
    const other = await registerAdmin(app);
    await app.pool.query('update users set active = $2 where id = $1', [other.id, active]);
    const before = await read(other.id);
    expect(await change(manager, other.id, patch)).toMatchObject(NOT_PERMITTED);
    expect(await deactivate(manager, other.id)).toMatchObject(NOT_PERMITTED);
    expect(await read(other.id)).toEqual(before);
    expect(await change(admin, other.id, { active: true })).toMatchObject({ status: 200 });
  });
});
