import { describe, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { type StreamEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { registerAdmin, registerUser, registerWith } from '../../testing/factories.ts';
import { importsOf, lines } from '../../testing/imports.ts';

const { app, admin, jane, bo } = suite({
  admin: registerAdmin,
  jane: (running) => registerWith(running, {}),
  bo: registerUser,
});
const api = () => importsOf(app, admin);

const mail = (id: string, subject: string) =>
  lines(
    `Message-ID: <${id}@firm.example>`,
    'From: Dana <dana@client.example>',
    'To: firm@firm.example',
    `Subject: ${subject}`,
    'Date: Mon, 04 Mar 2024 10:00:00 -0500',
    '',
    'Please call me.',
  );

/** A small firm in Clio's columns, whose notes name its matters by number. */
function firm(): Record<string, string> {
  return {
    'contacts.csv': lines('Contact ID,first_name,last_name', '11,Ngozi,Abara'),
    'matters.csv': lines(
      'Matter ID,custom_number,description,client_name,practice_area,status',
      '91,W-17,Abara v. Meridian,Ngozi Abara,PI,Open',
    ),
    'notes.csv': lines(
      'id,matter,date,subject,detail,author,Billable',
      `1,W-17,02/01/2024 3:30 PM,Offer,"<p>She said &quot;no&quot;.</p>",${jane.firstName} ${jane.lastName},yes`,
      '2,W-17,02/02/2024,,Second note,Max Gone,',
      '3,W-99,02/02/2024,,Of no matter,,',
      '4,91,31/12/2024,,Wrong date,,',
    ),
    'phone_logs.csv': lines(
      'id,matter,date,direction,with,minutes',
      '5,W-17,02/03/2024 9:00 AM,Incoming,Ngozi Abara,5',
    ),
    'tasks.csv': lines(
      'id,Task Name,Matter,Due At,Assignee',
      '6,File answer,W-17,02/15/2024,Max Gone',
    ),
    'calendar.csv': lines(
      'id,summary,start_at,end_at,matter',
      '7,Hearing,02/20/2024 9:00 AM,,W-17',
    ),
    'Abara - W-17/Medical/Mercy/chart.txt': 'the chart',
    'Abara - W-17/letter.txt': 'the letter',
    'Abara - W-17/offer.eml': mail('one', 'Offer'),
    'Abara - W-17/Copies/offer.eml': mail('one', 'Offer'),
  };
}

async function matterId(): Promise<string> {
  const { body } = await app.call(caseRoutes.listCases, {
    token: admin.token,
    query: { statusType: 'Active', search: 'W-17' },
  });
  return body.cases[0]?.id ?? '';
}
async function entries(id: string): Promise<StreamEntry[]> {
  const asked = { token: admin.token, params: { id }, query: { kinds: 'note,call', limit: 50 } };
  const { items } = (await app.call(streamRoutes.readStream, asked)).body;
  return items.flatMap(({ entry }) => entry ?? []);
}
const work = ({ counts }: { counts: object }) => counts;
const counted = (
  of: Partial<Record<'new' | 'changed' | 'same' | 'conflicting' | 'refused', number>>,
) => ({
  found: Object.values(of).reduce((sum, n) => sum + n, 0),
  new: 0,
  changed: 0,
  same: 0,
  conflicting: 0,
  refused: 0,
  ...of,
});
const ALL = {
  notes: counted({ new: 2, refused: 2 }),
  calls: counted({ new: 1 }),
  tasks: counted({ new: 1 }),
  events: counted({ new: 1 }),
  documents: counted({ new: 2 }),
  mails: counted({ new: 1, same: 1 }),
};

describe('the work of a matter', () => {
  test('comes with an export, twice only once, changes with it, and goes with it', async () => {
    const first = await api().add(firm());
    expect(work(await api().run(first.id, true))).toMatchObject(ALL);
    const done = await api().run(first.id);
    expect(done).toMatchObject({ state: 'done', error: null });
    expect(work(done)).toMatchObject(ALL);
    expect(done.problems.map(({ column, message }) => [column, message])).toEqual([
      ['matter', 'No such matter in the export'],
      ['date', '“31/12/2024” is not a date'],
    ]);
    const id = await matterId();
    const found = await entries(id);
    expect(found.map(({ text, author }) => [text, author.id === jane.id])).toEqual([
      ['', false],
      ['Second note', false],
      ['Offer\nShe said "no".\n\nFrom Clio\nBillable: yes', true],
    ]);
    expect(found[0]?.call).toMatchObject({
      direction: 'in',
      seconds: 300,
      contact: { name: 'Ngozi Abara' },
    });
    const { tasks } = (await app.call(taskRoutes.readBoard, { token: admin.token, params: { id } }))
      .body;
    expect(tasks.columns.intake.items).toMatchObject([
      {
        name: 'File answer',
        assignedTo: { id: admin.id },
        description: 'Assigned to Max Gone in Clio',
      },
    ]);
    const query = { from: '2024-02-19', to: '2024-02-21', case: id };
    expect(
      (await app.call(calendarRoutes.readCalendar, { token: admin.token, query })).body.items,
    ).toMatchObject([{ title: 'Hearing' }]);
    const listed = await app.call(fileRoutes.listFiles, {
      token: admin.token,
      params: { caseId: id },
    });
    const folders = Object.entries(listed.body.files).map(([folder, urls]) => [
      folder,
      urls.length,
    ]);
    expect(Object.fromEntries(folders)).toEqual({
      'Medical – Mercy': 1,
      Documents: 1,
      'E-mail': 1,
    });

    const again = await api().add(firm());
    expect(work(await api().run(again.id))).toMatchObject({
      notes: counted({ same: 2, refused: 2 }),
      calls: counted({ same: 1 }),
      tasks: counted({ same: 1 }),
      events: counted({ same: 1 }),
      documents: counted({ same: 2 }),
      mails: counted({ same: 2 }),
    });

    const text = 'Changed here';
    const params = { id: found[1]?.id ?? '' };
    await app.pool.query('update base.entries set author_id = $1 where id = $2', [
      admin.id,
      params.id,
    ]);
    expect(
      await app.call(streamRoutes.changeEntry, { token: admin.token, params, body: { text } }),
    ).toMatchObject({
      status: 200,
    });
    const reassigned = await app.call(taskRoutes.changeTask, {
      token: admin.token,
      params: { id: tasks.columns.intake.items[0]?.id ?? '' },
      body: { assignedTo: bo.id },
    });
    expect(reassigned).toMatchObject({ status: 200 });
    const files = firm();
    const changed = await api().add({
      ...files,
      'notes.csv': (files['notes.csv'] ?? '')
        .replace('Second note', 'Changed there')
        .replace('She said', 'He said'),
      'tasks.csv': (files['tasks.csv'] ?? '')
        .replace('02/15', '02/16')
        .replace('Max Gone', `${jane.firstName} ${jane.lastName}`),
      // As long as it was.
      'Abara - W-17/letter.txt': 'THE LETTER',
    });
    expect(work(await api().run(changed.id, true))).toMatchObject({
      documents: counted({ changed: 1, same: 1 }),
    });
    const outcome = await api().run(changed.id);
    expect(work(outcome)).toMatchObject({
      notes: counted({ changed: 1, conflicting: 1, refused: 2 }),
      tasks: counted({ conflicting: 1 }),
      documents: counted({ changed: 1, same: 1 }),
    });
    const conflicts = outcome.problems.filter((problem) => problem.outcome === 'conflicting');
    expect(conflicts).toMatchObject([
      { column: 'detail', message: 'Here “Changed here”, in the file “Changed there”' },
      {
        column: 'Assignee',
        message: `Here “Ada ${bo.lastName}”, in the file “Ada ${jane.lastName}”`,
      },
    ]);

    const undone = await api().undo(first.id);
    expect(undone).toMatchObject({ state: 'undone' });
    expect(undone.left.map(({ kind }) => kind).toSorted()).toEqual(
      expect.arrayContaining(['documents', 'matters', 'notes', 'tasks']),
    );
    const left = await app.call(fileRoutes.listFiles, {
      token: admin.token,
      params: { caseId: id },
    });
    expect(Object.keys(left.body.files)).toEqual(['Documents']);
  });

  test('that no one touched goes as if it had never come', async () => {
    const files = Object.fromEntries(
      Object.entries(firm()).map(([path, text]) => [
        path.replaceAll('W-17', 'Z-18').replaceAll('Abara', 'Zeta'),
        text
          .replaceAll('W-17', 'Z-18')
          .replaceAll('Abara', 'Zeta')
          .replace(/(?<=\n|Z-18,)91,/g, '92,')
          .replaceAll(/\n(\d),/g, '\n8$1,'),
      ]),
    );
    const added = await api().add(files);
    const done = await api().run(added.id);
    expect(done).toMatchObject({
      state: 'done',
      counts: { notes: { new: 2 }, documents: { new: 2 } },
    });
    const rows = async () => {
      const { rows: found } = await app.pool.query(
        `select (select count(*) from base.entries where text <> '')::int as entries,
          (select count(*) from base.tasks)::int as tasks, (select count(*) from base.events)::int as events,
          (select count(*) from base.files)::int as files, (select count(*) from base.cases)::int as cases`,
      );
      return found[0] as object;
    };
    const after = await rows();
    const undone = await api().undo(added.id);
    expect(undone).toMatchObject({ state: 'undone', left: [] });
    const { entries: e, tasks, events, files: f, cases } = after as Record<string, number>;
    expect(await rows()).toEqual({
      entries: (e ?? 0) - 2,
      tasks: (tasks ?? 0) - 1,
      events: (events ?? 0) - 1,
      files: (f ?? 0) - 3,
      cases: (cases ?? 0) - 1,
    });
  });
});
