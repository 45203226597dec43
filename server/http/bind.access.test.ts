import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { permissionNames, type Permission } from '@matterdesk/contract/permissions.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { routes } from '@matterdesk/contract/routes.ts';
import { openSession } from '../db/sessions.ts';
import { suite } from '../testing/app.ts';
import {
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../testing/factories.ts';

/** Calls without a session. */
const PUBLIC = new Set([
  'GET /api/v1/users/registration',
  'POST /api/v1/users/forgotPassword',
  'POST /api/v1/users/resetPassword',
  'POST /api/v1/users/register',
  'POST /api/v1/users/login',
  'POST /api/v1/users/login/passkey/options',
  'POST /api/v1/users/login/passkey',
  'POST /api/v1/mails/google/push',
  'GET /api/v1/calendar/feed/{token}.ics',
  'POST /api/v1/messages/webhook/inbound',
  'POST /api/v1/messages/webhook/status',
]);

/** Calls that need a permission. All others are for every signed-in user. */
const PERMITTED: Record<Permission, string[]> = {
  createCases: [
    'POST /api/v1/cases',
    'POST /api/v1/intakes/{id}/accept',
    'PATCH /api/v1/cases/{id}',
    'POST /api/v1/cases/{id}/noStatute',
    'GET /api/v1/cases/export',
    'POST /api/v1/cases/import',
  ],
  editTasks: [
    'POST /api/v1/tasks',
    'PATCH /api/v1/tasks/{id}',
    'PUT /api/v1/tasks/{id}',
    'DELETE /api/v1/tasks/{id}',
  ],
  manageUsers: [
    'POST /api/v1/users/{id}/resetLink',
    'GET /api/v1/users/invitations',
    'POST /api/v1/users/invitations',
    'DELETE /api/v1/users/invitations/{id}',
    'PATCH /api/v1/users/{id}',
    'DELETE /api/v1/users/{id}',
  ],
  handleIntakes: [],
  clearConflicts: [
    'POST /api/v1/conflicts/{id}/decisions',
    'POST /api/v1/conflicts/{id}/conclude',
    'POST /api/v1/conflicts/alerts/{id}',
  ],
  manageWalls: ['GET /api/v1/access', 'POST /api/v1/access/{kind}/{id}/open'],
  editCalendar: [
    'POST /api/v1/jurisdictions',
    'PATCH /api/v1/jurisdictions/{id}',
    'POST /api/v1/rules',
    'PATCH /api/v1/rules/{id}',
  ],
  sortPapers: [],
  editTemplates: [
    'POST /api/v1/templates',
    'POST /api/v1/templates/{id}/versions',
    'PATCH /api/v1/templates/{id}',
  ],
  exportMatters: [
    'POST /api/v1/cases/{id}/pack',
    'GET /api/v1/cases/{id}/packs',
    'GET /api/v1/cases/{id}/pack/{n}/{volume}',
  ],
};

/** Calls of those who have either of two permissions. */
const PERMITTED_EITHER = new Map<string, Permission[]>([
  ['PUT /api/v1/access/{kind}/{id}', ['createCases', 'manageWalls']],
  ...[
    'POST /api/v1/contacts',
    'PATCH /api/v1/contacts/{id}',
    'DELETE /api/v1/contacts/{id}',
    'POST /api/v1/contacts/{id}/merge',
    'POST /api/v1/contacts/{id}/unmerge',
    'POST /api/v1/contacts/{id}/distinct',
    'POST /api/v1/cases/{id}/parties',
    'PATCH /api/v1/cases/{id}/parties/{partyId}',
    'DELETE /api/v1/cases/{id}/parties/{partyId}',
  ].map((call): [string, Permission[]] => [call, ['createCases', 'handleIntakes']]),
]);

/** Calls of admins alone. */
const ADMINS = new Set([
  'DELETE /api/v1/users/{id}/secondFactor',
  'DELETE /api/v1/intakes/{id}',
  'PUT /api/v1/intakes/settings',
  'GET /api/v1/intakeForms',
  'POST /api/v1/intakeForms',
  'PATCH /api/v1/intakeForms/{id}',
  'PATCH /api/v1/firm',
  'GET /api/v1/audit',
  'GET /api/v1/audit/export',
  'GET /api/v1/audit/seals',
  'GET /api/v1/audit/{id}/seal',
  'GET /api/v1/storage',
  'DELETE /api/v1/storage/trash',
  'GET /api/v1/imports/profiles',
  'POST /api/v1/imports',
  'GET /api/v1/imports',
  'GET /api/v1/imports/{id}',
  'GET /api/v1/imports/{id}/report.csv',
  'PATCH /api/v1/imports/{id}',
  'POST /api/v1/imports/{id}/run',
  'POST /api/v1/imports/{id}/stop',
  'POST /api/v1/imports/{id}/undo',
]);

/** Calls of users who must set up a second factor first. */
const ENROLLING = new Set([
  'GET /api/v1/users/me',
  'POST /api/v1/users/logout',
  'POST /api/v1/users/me/totp',
  'POST /api/v1/users/me/totp/confirm',
  'DELETE /api/v1/users/me/totp',
  'POST /api/v1/users/me/passkeys/options',
  'POST /api/v1/users/me/passkeys',
  'GET /api/v1/users/me/passkeys',
  'DELETE /api/v1/users/me/passkeys/{id}',
]);

const permitted = new Map(
  permissionNames.flatMap((name) => PERMITTED[name].map((call) => [call, name] as const)),
);

const PEOPLE = ['user', ...permissionNames, 'admin', 'deactivated', 'must enrol'] as const;
type Caller = (typeof PEOPLE)[number] | 'signed out';
type Outcome = 'admitted' | 'notPermitted' | 'mustEnrol' | 'invalidToken';

const { app } = suite({});
let people: Map<Caller, SignedInPerson>;

beforeAll(async () => {
  people = new Map<Caller, SignedInPerson>([
    ['user', await registerUser(app)],
    ['admin', await registerAdmin(app)],
    ['deactivated', await registerUser(app)],
    ['must enrol', await registerUser(app)],
  ]);
  for (const name of permissionNames) people.set(name, await registerWith(app, { [name]: true }));
  const deactivated = people.get('deactivated')?.id;
  await app.pool.query('update users set active = false where id = $1', [deactivated]);
  const enrolling = people.get('must enrol')?.id;
  await app.pool.query(`update users set second_factor = 'totp' where id != $1`, [enrolling]);
  const { token } = people.get('admin') ?? {};
  await app.call(firmRoutes.changeFirm, { token, body: { secondFactor: 'everyone' } });
});

/** Calls a route on rows that do not exist, with a body that no route accepts. */
async function callAs(caller: Caller, route: Route): Promise<Outcome> {
  const person = people.get(caller);
  // A session for each call, since some calls end theirs.
  const session = person && (await openSession(app.db, person.id));
  const path = route.path
    .replace('{userEmail}', person?.email ?? 'nobody@firm.example')
    .replaceAll(/\{\w+\}/g, () => randomUUID());
  const isJson = route.method !== 'GET' && route.file === undefined;
  const body = isJson ? '{"color":"red"}' : new FormData();
  const { code } = await app.request(path, {
    method: route.method,
    headers: {
      ...(session && { 'x-auth-token': session.token }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(route.method !== 'GET' && { body }),
  });
  const isRefused = code === 'notPermitted' || code === 'invalidToken' || code === 'mustEnrol';
  return isRefused ? code : 'admitted';
}

function expectedOf(caller: Caller, call: string): Outcome {
  if (PUBLIC.has(call)) return 'admitted';
  if (caller === 'signed out' || caller === 'deactivated') return 'invalidToken';
  if (caller === 'must enrol') return ENROLLING.has(call) ? 'admitted' : 'mustEnrol';
  if (ADMINS.has(call)) return caller === 'admin' ? 'admitted' : 'notPermitted';
  const needed = PERMITTED_EITHER.get(call) ?? permitted.get(call);
  const isAdmitted =
    needed === undefined || caller === 'admin' || [needed].flat().some((name) => name === caller);
  return isAdmitted ? 'admitted' : 'notPermitted';
}

const named = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));

test.each(['signed out', ...PEOPLE] as const)(
  'a caller “%s” is admitted to no other call',
  async (caller) => {
    const found: [string, Outcome][] = [];
    for (const [call, route] of named) found.push([call, await callAs(caller, route)]);
    const expected = [...named.keys()].map((call) => [call, expectedOf(caller, call)]);
    expect(found).toEqual(expected);
  },
);

test('the table names no call that does not exist', () => {
  expect(
    [...PUBLIC, ...ADMINS, ...ENROLLING, ...PERMITTED_EITHER.keys(), ...permitted.keys()].filter(
      (call) => !named.has(call),
    ),
  ).toEqual([]);
});
