import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { addTask, inDays, registerAdmin, registerUser } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });

const FILES = {
  'users.csv': lines('Id,Name,Email', '1,Grace Hopper,grace@old.example', '2,Alan Turing,'),
  'contacts.csv': lines(
    'Id,Kind,First name,Last name,Company,Email',
    '11,Person,Ngozi,Abara,,ngozi@client.example',
    '12,Company,,,Meridian Freight,',
    '13,Person,Ruth,Witness,,',
  ),
  'matters.csv': lines(
    'Id,Number,Name,Client,Type,Statute of limitations,Opposing counsel,Opposing counsel phone',
    '91,A-1,Abara v. Meridian,Ngozi Abara,PI,2030-01-02,Richard Roe,555 010 4050',
    '92,A-2,Abara estate,Ngozi Abara,Civil,,,',
  ),
  'parties.csv': lines(
    'Matter,Contact,Role',
    'A-1,Ruth Witness,Witness',
    'A-1,"Abara, Ngozi",Claimant',
    '92,12,Forwarder',
  ),
  'notes.csv': lines('Id,Matter,Date,Author,Text', '501,A-1,2024-03-04 10:00,Alan Turing,Called'),
};
const TABLES = [
  ...(['cases', 'contacts', 'parties', 'contact_sources', 'entries', 'deadlines'] as const),
  ...(['users', 'import_ids', 'case_assignments', 'tasks', 'base.names', 'case_ahead'] as const),
];

const api = () => importsOf(app, admin);

async function counts(): Promise<Record<string, number>> {
  const all = TABLES.map((table) => `(select count(*)::int from ${table}) as "${table}"`);
  const { rows } = await app.pool.query<Record<string, number>>(`select ${all.join(', ')}`);
  return rows[0] ?? {};
}

async function caseOf(caseNo: string) {
  const { cases } = (await app.call(caseRoutes.listCases, { token: admin.token, query: {} })).body;
  return cases.find((one) => one.caseNo === caseNo);
}

describe('an import', () => {
  test('brings parties by id and by name, and people who cannot sign in', async () => {
    const added = await api().add(FILES, 'spreadsheet');
    const done = await api().run(added.id);
    expect(done.problems).toEqual([]);
    expect(done.counts).toMatchObject({
      people: { found: 2, new: 2 },
      contacts: { found: 3, new: 3 },
      matters: { found: 2, new: 2 },
      parties: { found: 3, new: 2, same: 1 },
      notes: { found: 1, new: 1 },
    });
    const id = (await caseOf('A-1'))?.id ?? '';
    const { token } = user;
    const { parties } = (await app.call(contactRoutes.listParties, { token, params: { id } })).body;
    expect(parties.map(({ contact, role }) => `${contact.name}: ${role}`)).toEqual([
      'Ngozi Abara: client',
      'Richard Roe: opposingCounsel',
      'Ruth Witness: witness',
    ]);
    const other = { id: (await caseOf('A-2'))?.id ?? '' };
    const estate = await app.call(contactRoutes.listParties, { token, params: other });
    expect(estate.body.parties.at(-1)).toMatchObject({
      contact: { name: 'Meridian Freight' },
      role: 'other',
      note: 'Role: Forwarder',
    });
    const login = { email: 'grace@old.example', password: 'correct horse battery' };
    expect(await app.call(accountRoutes.login, { body: login })).toMatchObject({ status: 401 });
    const { body: users } = await app.call(accountRoutes.listUsers, { token, query: {} });
    expect(users.filter(({ lastName }) => /Hopper|Turing/.test(lastName))).toMatchObject([
      { firstName: 'Grace', email: 'grace@old.example', active: false },
      { firstName: 'Alan', email: '', active: false },
    ]);
    await api().undo(added.id);
  });

  test('that is undone leaves nothing, whatever its records were', async () => {
    const before = await counts();
    const added = await api().add(FILES, 'spreadsheet');
    await api().run(added.id);
    expect(await counts()).not.toEqual(before);
    const tried = await api().undo(added.id, true);
    expect(tried).toMatchObject({ state: 'done', left: [] });
    const undone = await api().undo(added.id);
    expect(undone).toMatchObject({ state: 'undone', left: [], undoing: false });
    expect(await counts()).toEqual(before);
    const { rows } = await app.pool.query('select from import_uploads');
    expect(rows).toEqual([]);
  });

  test('that is undone leaves what people touched, and says so', async () => {
    const added = await api().add(FILES, 'spreadsheet');
    await api().run(added.id);
    const one = await caseOf('A-1');
    const other = await caseOf('A-2');
    const note = { kind: 'note', text: 'She called back' } as const;
    const params = { id: one?.id ?? '' };
    await app.call(streamRoutes.addEntry, { token: user.token, params, body: note });
    const tried = await api().undo(added.id, true);
    expect(tried.left).toMatchObject([{ kind: 'matters', name: 'Abara v. Meridian' }]);
    const undone = await api().undo(added.id);
    expect(undone.left).toMatchObject([
      { kind: 'contacts', name: 'Ngozi Abara', reason: 'It is still in use' },
      { kind: 'contacts', name: 'Richard Roe', reason: 'It is still in use' },
      { kind: 'matters', id: one?.id, reason: 'It was changed or used here' },
    ]);
    expect(await caseOf('A-1')).toMatchObject({ id: one?.id });
    expect(other && (await caseOf('A-2'))).toBeUndefined();
  });

  test('that is undone leaves a matter that something refers to without a trace in the record', async () => {
    const files = {
      'contacts.csv': FILES['contacts.csv'],
      'matters.csv': FILES['matters.csv'].replaceAll('A-', 'B-').replaceAll(/^9/gm, '8'),
    };
    const added = await api().add(files, 'spreadsheet');
    await api().run(added.id);
    const one = (await caseOf('B-2'))?.id ?? '';
    await addTask(app, admin.token, { case: one, assignedTo: admin.id });
    await app.pool.query(`update imports set by_id = $1 where id = $2`, [admin.id, added.id]);
    // As if an earlier version had written the task.
    await app.pool.query('alter table audit_log disable trigger all');
    await app.pool.query('delete from audit_log where case_id = $1 and entity = $2', [one, 'task']);
    await app.pool.query('alter table audit_log enable trigger all');
    const undone = await api().undo(added.id);
    expect(undone.left).toContainEqual({
      kind: 'matters',
      id: one,
      name: 'Abara estate',
      reason: 'Something that stays belongs to it',
    });
  });

  test('that is undone leaves nothing though the server has looked at its limitations', async () => {
    const before = await counts();
    const added = await api().add(limitedFiles('C-1'), 'spreadsheet');
    await api().run(added.id);
    await app.raiseNotices();
    expect(await api().undo(added.id, true)).toMatchObject({ left: [] });
    expect(await api().undo(added.id)).toMatchObject({ state: 'undone', left: [] });
    expect(await counts()).toEqual(before);
  });

  test('says before its undo that a matter stays whose limitation someone opened', async () => {
    const added = await api().add(limitedFiles('C-2'), 'spreadsheet');
    await api().run(added.id);
    const id = (await caseOf('C-2'))?.id ?? '';
    const { rows } = await app.pool.query<{ id: string }>(
      'select id from deadlines where case_id = $1',
      [id],
    );
    const params = { id: rows[0]?.id ?? '' };
    await app.call(deadlineRoutes.readDeadline, { token: user.token, params });
    const stays = { kind: 'matters', id, reason: 'Something that stays belongs to it' };
    expect(await api().undo(added.id, true)).toMatchObject({ left: [stays] });
    const { left } = await api().undo(added.id);
    expect(left).toContainEqual(expect.objectContaining(stays));
  });
});

/** One matter whose limitation is near enough for warnings. */
function limitedFiles(number: string): Record<string, string> {
  return {
    'contacts.csv': FILES['contacts.csv'],
    'matters.csv': lines(
      'Number,Name,Client,Type,Statute of limitations',
      `${number},Abara v. ${number},Ngozi Abara,PI,${inDays(50)}`,
    ),
  };
}
