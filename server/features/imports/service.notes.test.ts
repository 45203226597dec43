import { beforeAll, describe, expect, test } from 'vitest';
import { type StreamEntry, streamRoutes } from '@matterdesk/contract/stream.ts';
import { suite } from '../../testing/app.ts';
import { openCase, registerAdmin, registerUser, unique } from '../../testing/factories.ts';
import {
  change,
  draftOf,
  remove,
  rowOf,
  runOf,
  importRows,
  valuesOf,
} from '../../testing/imports.ts';
import type { Run } from './service.kinds.ts';
import { callKind, noteKind } from './service.notes.ts';

const { app, admin, jane } = suite({ admin: registerAdmin, jane: registerUser });
let caseId: string;
let run: Run;

beforeAll(async () => {
  caseId = (await openCase(app, admin.token)).id;
  run = await runOf(app, admin, {
    matters: { '00012': caseId, 'Doe v. Roe': caseId },
    people: { 'Jane Attorney': jane.id },
  });
});

async function entries(of = caseId): Promise<StreamEntry[]> {
  const asked = { token: admin.token, params: { id: of }, query: { limit: 200 } };
  const { body } = await app.call(streamRoutes.readStream, asked);
  return body.items.flatMap(({ entry }) => entry ?? []);
}
const one = async (id: string) =>
  (await app.call(streamRoutes.readEntry, { token: admin.token, params: { id } })).body;
async function take(kind: typeof noteKind, cells: Record<string, string>, rest = {}) {
  const row = rowOf({ matter: '00012', ...cells }, rest);
  const taken = await importRows(kind, run, [row]);
  return { ...taken, id: taken.ids[0] ?? '', draft: taken.drafts[0] };
}

describe('a note of an import', () => {
  test('becomes an entry of its time and author, as plain text, below what no field takes', async () => {
    const { id, drafts } = await take(
      noteKind,
      {
        at: '03/15/2024 2:05 PM',
        author: 'Jane Attorney',
        subject: 'Settlement',
        text: '<p>Offer of <b>$5,000</b></p><p>Call back</p>',
      },
      { Type: 'Research' },
    );
    const { entry } = await one(id);
    expect(entry).toMatchObject({
      case: caseId,
      kind: 'note',
      at: '2024-03-15T18:05:00.000Z',
      author: { id: jane.id },
      text: 'Settlement\nOffer of $5,000\n\nCall back\n\nFrom Clio\nType: Research',
    });
    expect(await valuesOf(noteKind, run, [id])).toEqual([drafts[0]?.values]);
    const acts = await app.db
      .selectFrom('audit_log')
      .select(['action', 'case_id', 'actor_id'])
      .where('entity_id', '=', id)
      .execute();
    expect(acts).toEqual([{ action: 'imported', case_id: caseId, actor_id: admin.id }]);
  });

  test('says who wrote it where the author has no account', async () => {
    const { id } = await take(noteKind, {
      author: 'Max Gone',
      text: 'Hello',
      matter: 'Doe v. Roe',
    });
    const { entry } = await one(id);
    expect([entry.author.id, entry.text]).toEqual([admin.id, 'By Max Gone in Clio\nHello']);
  });

  test('is refused for an unknown matter, a wrong or a future date, or without a text', async () => {
    const rows = [
      rowOf({ matter: '99', text: 'x' }),
      rowOf({ matterName: 'Unknown v. Known', text: 'x' }),
      rowOf({ matter: '00012', text: 'x', at: '13/31/2024' }),
      rowOf({ matter: '00012', text: 'x', at: '01/01/2199' }),
      rowOf({ matter: '00012', at: '01/01/2024' }),
    ];
    const { refused, ids } = await importRows(noteKind, run, rows);
    expect(ids).toEqual([]);
    expect(refused.map(({ field, message }) => [field, message])).toEqual([
      ['matter', 'No such matter in the export'],
      ['matterName', 'No such matter in the export'],
      ['at', '“13/31/2024” is not a date'],
      ['at', 'Time must not be in the future'],
      ['text', 'Text is required'],
    ]);
  });

  test('that is too long for one entry becomes several in their order, which change and go together', async () => {
    const own = (await openCase(app, admin.token)).id;
    const long = { ...run, ...(await runOf(app, admin, { matters: { long: own } })) };
    const text = Array.from({ length: 4000 }, (_, n) => `Line ${n} of the letter`).join('\n');
    const row = rowOf({ matter: 'long', at: '2024-01-02 10:00', text });
    const { ids, drafts } = await importRows(noteKind, long, [row]);
    const pieces = await entries(own);
    expect(pieces.map((piece) => /\(\d of \d\)$/.exec(piece.text)?.[0])).toEqual(
      [1, 2, 3, 4, 5].map((n) => `(${n} of 5)`),
    );
    expect(pieces[0]?.id).toBe(ids[0]);
    expect(await valuesOf(noteKind, long, ids)).toEqual([drafts[0]?.values]);
    expect((await importRows(noteKind, long, [row])).matched).toEqual(new Map([[0, ids[0]]]));
    const draft = await draftOf(noteKind, long, { ...row, cells: { ...row.cells, text: 'Short' } });
    await change(noteKind, long, [{ id: ids[0] ?? '', values: { text: 'Short' }, draft }]);
    expect(await valuesOf(noteKind, long, ids)).toMatchObject([{ text: 'Short' }]);
    expect((await entries(own)).filter(({ deleted }) => !deleted).length).toBe(1);
    const again = await draftOf(noteKind, long, row);
    await change(noteKind, long, [{ id: ids[0] ?? '', values: { text }, draft: again }]);
    expect(await valuesOf(noteKind, long, ids)).toMatchObject([{ text }]);
    expect([...(await remove(noteKind, long, ids)).keys()]).toEqual(ids);
    const second = await importRows(noteKind, long, [rowOf({ matter: 'long', text })]);
    expect(await remove(noteKind, long, second.ids)).toEqual(new Map());
    expect((await entries(own)).length).toBe(5);
  });

  test('that changed keeps its earlier text, and then stays when the import is undone', async () => {
    const { id, draft } = await take(noteKind, { at: '2024-01-02', text: 'First' });
    if (!draft) throw new Error('no draft');
    await change(noteKind, run, [{ id, values: { text: 'Second' }, draft }]);
    const { entry, versions } = await one(id);
    expect([entry.text, versions.map(({ text }) => text)]).toEqual(['Second', ['First']]);
    expect(await remove(noteKind, run, [id])).toEqual(
      new Map([[id, 'It was edited, and its earlier text stays']]),
    );
  });

  test('is found again by its matter, time and text, and is removed without a trace in the matter', async () => {
    const cells = { at: '2024-01-02 09:30', text: `Note ${unique()}` };
    const { id } = await take(noteKind, cells);
    expect((await take(noteKind, cells)).matched).toEqual(new Map([[0, id]]));
    expect(await remove(noteKind, run, [id])).toEqual(new Map());
    expect((await entries()).some((entry) => entry.id === id)).toBe(false);
    expect(await valuesOf(noteKind, run, [id])).toEqual([]);
  });

  test('of a matter behind a wall is refused like that of an unknown one', async () => {
    const stranger = await registerAdmin(app);
    const hidden = await openCase(app, stranger.token);
    await app.db
      .updateTable('cases')
      .set({ access: 'restricted', is_walled: true })
      .where('id', '=', hidden.id)
      .execute();
    for (const isDry of [false, true]) {
      const walled = await runOf(app, admin, { matters: { walled: hidden.id }, isDry });
      const [draft] = await noteKind.draft(walled, [rowOf({ matter: 'walled', text: 'x' })]);
      expect(draft).toMatchObject({ message: 'No such matter in the export' });
    }
  });

  test('of a matter that a dry run would add is drafted', async () => {
    const planned = await runOf(app, admin, {
      matters: { planned: '0c7a2f9e-3f9c-4a53-9d0a-5d1f5c2f7a12' },
      isDry: true,
    });
    const draft = await draftOf(noteKind, planned, rowOf({ matter: 'planned', text: 'x' }));
    expect(draft.values).toEqual({ text: 'x' });
  });
});

describe('a call of an import', () => {
  test('is a call with its direction, length and result', async () => {
    const { id, drafts } = await take(callKind, {
      at: '2024-02-01 11:00',
      direction: 'Incoming',
      with: 'Dana Whitlock',
      number: '+1 555 010 2030',
      minutes: '5',
      result: 'Left voicemail',
      text: 'About the lien',
    });
    const { entry } = await one(id);
    expect(entry).toMatchObject({
      kind: 'call',
      text: 'About the lien',
      call: {
        direction: 'in',
        name: 'Dana Whitlock',
        number: '+1 555 010 2030',
        seconds: 300,
        result: 'leftMessage',
      },
    });
    expect(await valuesOf(callKind, run, [id])).toMatchObject([drafts[0]?.values]);
  });

  test('is a note that says so where no direction is known, and loses nothing', async () => {
    const { id } = await take(callKind, {
      at: '2024-02-01 11:00',
      with: 'Dana Whitlock',
      minutes: '5',
      result: 'Left voicemail',
    });
    const { entry } = await one(id);
    expect([entry.kind, entry.text]).toEqual([
      'note',
      'Call\nWith: Dana Whitlock\nDuration: 5 minutes\nResult: Left voicemail',
    ]);
  });

  test('changes in what its row says otherwise, and keeps the rest', async () => {
    const cells = { at: '2024-02-01 12:00', direction: 'out', number: '555', seconds: '10' };
    const { id } = await take(callKind, cells);
    const draft = await draftOf(
      callKind,
      run,
      rowOf({ matter: '00012', ...cells, result: 'Busy' }),
    );
    await change(callKind, run, [{ id, values: { result: 'busy' }, draft }]);
    expect((await one(id)).entry.call).toMatchObject({
      direction: 'out',
      number: '555',
      seconds: 10,
      result: 'busy',
    });
  });
});
