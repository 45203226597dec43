import { beforeAll, expect, test } from 'vitest';
import type { Case } from '@matterdesk/contract/cases.ts';
import { suite } from '../../testing/app.ts';
import { openCase, openUnfiledCase, registerAdmin, registerUser } from '../../testing/factories.ts';
import { writeCase } from './store.listed.ts';
import { listAll, listNewest, toCase } from './store.ts';

const { app, admin, other } = suite({ admin: registerAdmin, other: registerUser });

/** Texts with all that JSON escapes, and with letters of two units, which it does not. */
const TEXTS = [
  'a "quoted" \\ name',
  `tab\t, line\n, return\r, bell\u0007, unit\u001F and delete\u007F`,
  'Überfahrt 𝒜 \u2028 \u2029 🚢 </script>',
  '}{"id":null,',
  '',
];
const MOMENTS = [
  '2026-03-04 05:06:07.999999+00',
  '2026-03-04 05:06:07.9995+00',
  '1999-12-31 23:59:59.000001+00',
  '2026-11-01 01:30:00+00',
  '2031-07-01 12:00:00.1+02',
];

let filed: Case;

/** A case for each text and moment, and one of each kind that has members of its own. */
beforeAll(async () => {
  const { token } = admin;
  for (const [n, text] of TEXTS.entries()) {
    const { id } = await openCase(app, token, { assignedUsers: [admin.id, other.id] });
    await app.pool.query(
      `update base.cases set case_name = $2, judge = $2, managing_attorney = $2, client_name = $2,
        client_address = $2, counsel_organization = $2, counsel_email = $2, no_statute = nullif($2, ''),
        sol = null, sol_in_effect = null, created_at = $3, updated_at = $3, days_open_since = $3,
        archived_at = case when $4 % 2 = 0 then $3::timestamptz + interval '12 days' end where id = $1`,
      [id, text, MOMENTS[n], n],
    );
  }
  await openUnfiledCase(app, token);
  const walled = await openCase(app, token, { assignedUsers: [admin.id] });
  await app.pool.query(
    `update base.cases set access = 'restricted', is_walled = true where id = $1`,
    [walled.id],
  );
  const waiting = await openCase(app, token, { assignedUsers: [] });
  await app.pool.query(`update base.cases set sol_in_effect = sol - 9 where id = $1`, [waiting.id]);
  filed = await openCase(app, token);
  await app.pool.query(
    `with folder as (insert into base.folders (case_id, name, name_key) values ($1, 'Exhibits & more', 'exhibits & more')
      returning id)
    insert into base.files (case_id, folder_id, name, name_key, size, mime_type, sha256, blob_key, uploaded_by, created_at)
    select $1, folder.id, name, name, 1, 'text/plain', '', name, $2, now() + n * interval '1 second'
    from folder, unnest($3::text[]) with ordinality as given (name, n)`,
    [filed.id, admin.id, ['1.txt', 'a/b?.pdf', 'ü "x".pdf', '100%.doc', '5', '6', '7']],
  );
});

test('a case of a list has what it has when it is read alone', async () => {
  const db = app.context.db.asSystem('compares what all readers see');
  const page = { limit: 100 };
  const rows = await listAll(db, {}, page);
  const alone = await listNewest(db, {}, page);
  const now = new Date();
  expect(rows.map((row) => JSON.parse(writeCase(row)) as unknown)).toEqual(
    alone.map((row) => toCase(row, now)),
  );
  const cases = alone.map((row) => toCase(row, now));
  // So that none of the comparisons above is of two cases without it.
  expect(cases.filter(({ access }) => access)).toHaveLength(1);
  expect(cases.filter(({ waiting }) => waiting)).toHaveLength(1);
  expect(cases.filter(({ noStatute }) => noStatute)).toHaveLength(TEXTS.length - 1);
  expect(cases.filter(({ incomplete }) => incomplete.length > 0)).toHaveLength(1);
  expect(cases.find(({ id }) => id === filed.id)).toMatchObject({ fileCount: 7 });
  expect(cases.find(({ id }) => id === filed.id)?.download).toHaveLength(5);
  expect(new Set(cases.map(({ daysOpen }) => daysOpen)).size).toBeGreaterThan(3);
});
