import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, type NewCase } from '@matterdesk/contract/cases.ts';
import { startTestApp, suite } from '../../testing/app.ts';
import { type Cells, columns, csvOf, newRow, sendImport } from '../../testing/case-files.ts';
import {
  newCase,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  unique,
} from '../../testing/factories.ts';

const { app, admin, clerk, user } = suite({
  admin: registerAdmin,
  clerk: (to) => registerWith(to, { createCases: true }),
  user: registerUser,
});

async function upload(
  content: string | Uint8Array<ArrayBuffer>,
  { dryRun = false, name = 'file' } = {},
) {
  const form = new FormData();
  form.append(name, new Blob([content], { type: 'text/csv' }), 'cases.csv');
  return send(form, { dryRun });
}

const send = (form: FormData, { dryRun = false, token = clerk.token } = {}) =>
  sendImport(app, token, { form, dryRun });

const countCases = async () =>
  (await app.call(caseRoutes.listCases, { token: user.token, query: { limit: 1 } })).body.total;

const exportAll = (query: Record<string, string> = {}) =>
  app.call(caseRoutes.exportCases, { token: clerk.token, query });

function rowsOf(csv: string): Cells[] {
  return parse(csv, { columns: true, record_delimiter: '\r\n' });
}

describe('the export of cases', () => {
  test('is a CSV download, newest first', async () => {
    const person = await registerUser(app);
    const old = await openCase(app, clerk.token, { assignedUsers: [person.id, user.id] });
    const young = await openCase(app, clerk.token, { caseName: 'Comma, "quote" and more' });
    const reply = await exportAll();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="matters-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const rows = rowsOf(reply.text);
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    expect(rows.map((row) => row['caseNo'])).toEqual([young.caseNo, old.caseNo]);
    expect(rows[0]).toMatchObject({
      caseName: 'Comma, "quote" and more',
      daysOpen: '12',
      'clientInfo.address': '1 Main Street\nSpringfield',
      assignedUsers: '',
    });
    expect(rows[1]).toMatchObject({ assignedUsers: `${person.email}; ${user.email}` });
    expect(reply.text.startsWith('"caseName","caseNo",')).toBe(true);
    expect(reply.text.replaceAll(/"[^"]*"/g, '').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('respects the filters of the list', async () => {
    const word = `filter${unique()}`;
    const active = await openCase(app, clerk.token, { judge: word });
    const archived = await openCase(app, clerk.token, { judge: word, statusType: 'Archive' });
    const numbers = async (query: Cells) =>
      rowsOf((await exportAll(query)).text).map((row) => row['caseNo']);
    expect(await numbers({ search: word.toUpperCase() })).toEqual([archived.caseNo, active.caseNo]);
    expect(await numbers({ search: word, statusType: 'Active' })).toEqual([active.caseNo]);
    expect(await numbers({ search: `${word}%` })).toEqual([]);
    expect((await exportAll({ search: `${word}%` })).text).toBe(`"${columns.join('","')}"\r\n`);
    expect(await exportAll({ statusType: 'All' })).toMatchObject({ status: 400 });
    expect(await exportAll({ search: 'a\u0000' })).toMatchObject({ status: 400 });
  });

  test('defuses formulas', async () => {
    const word = `defuse${unique()}`;
    const hostile = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '＝1',
      "'=1",
      "''=1",
      "'tis",
      '=HYPERLINK("x";"y")',
      'Doe;=1+1',
      'Doe;@SUM(A1)',
      "'Doe;-1",
      'Doe; Roe',
    ];
    const harmless = new Set(["'tis", 'Doe; Roe']);
    for (const caseName of hostile) await openCase(app, clerk.token, { caseName, judge: word });
    const names = rowsOf((await exportAll({ search: word })).text).map((row) => row['caseName']);
    expect(names.toReversed()).toEqual(
      hostile.map((name) => (harmless.has(name) ? name : `'${name}`)),
    );
  });
});

describe('the import of cases', () => {
  test('opens a case for each row, in the file’s order', async () => {
    const word = `import${unique()}`;
    const rows = [
      newRow({ judge: word, assignedUsers: `${user.email.toUpperCase()} ; ${admin.email}` }),
      newRow({ judge: word, statusType: 'Archive', daysOpen: ' 7 ' }),
      newRow({ judge: word, caseName: 'Line\tless "v." Comma, Inc.'.replace('\t', ' ') }),
    ];
    const reply = await upload(csvOf(rows));
    expect(reply).toMatchObject({
      status: 200,
      message: 'Cases imported',
      body: { rows: 3, created: 3, errors: [] },
    });
    const { body } = await app.call(caseRoutes.listCases, {
      token: user.token,
      query: { search: word },
    });
    expect(body.cases.map((one) => one.caseNo)).toEqual(
      rows.map((row) => row['caseNo'] ?? '').toReversed(),
    );
    const [third, second, first] = body.cases;
    expect(first?.assignedUsers.map((person) => person.id)).toEqual([user.id, admin.id]);
    expect(first?.clientInfo.address).toBe('1 Main Street\nSpringfield');
    expect(second).toMatchObject({ statusType: 'Archive', daysOpen: 7 });
    expect(third?.caseName).toBe('Line less "v." Comma, Inc.');
  });

  test('previews the outcome of a dry run without changes', async () => {
    const before = await countCases();
    const good = csvOf([newRow(), newRow()]);
    expect(await upload(good, { dryRun: true })).toMatchObject({
      status: 200,
      body: { rows: 2, created: 0, errors: [] },
    });
    expect(await countCases()).toBe(before);
    expect((await upload(good)).body).toMatchObject({ rows: 2, created: 2, errors: [] });
    expect(await countCases()).toBe(before + 2);
    const path = '/api/v1/cases/import?dryRun=yes';
    const init = { method: 'POST', headers: { 'x-auth-token': clerk.token }, body: new FormData() };
    expect(await app.request(path, init)).toMatchObject({ status: 400 });
  });

  test('reports every error by row and field, and opens no case', async () => {
    const before = await countCases();
    const taken = await openCase(app, clerk.token);
    const n = unique();
    const rows = [
      newRow(),
      newRow({ caseName: ' ', status: 'Trial', 'clientInfo.email': 'x' }),
      newRow({ caseNo: taken.caseNo.toLowerCase() }),
      newRow({ caseNo: `twice-${n}` }),
      newRow({ caseNo: `TWICE-${n}`, daysOpen: '1.5' }),
      newRow({ assignedUsers: `${user.email}; unknown@firm.example`, SOL: '2025-02-30' }),
      newRow({ judge: 'a\u0000b', caseNo: `n\u0000ul-${n}` }),
    ];
    const report = await upload(csvOf(rows));
    expect(report).toMatchObject({ status: 200, body: { rows: 7, created: 0 } });
    expect(report.body.errors).toEqual([
      { row: 3, path: 'caseName', message: 'Case Name is required' },
      { row: 3, path: 'status', message: 'Status must be one of Pre-List, Litigation, ADR' },
      { row: 3, path: 'clientInfo.email', message: 'Invalid email format' },
      { row: 4, path: 'caseNo', message: 'Case No already exists' },
      { row: 6, path: 'daysOpen', message: 'Days Open must be a whole number from 0 to 100000' },
      { row: 6, path: 'caseNo', message: 'Case No already exists' },
      { row: 7, path: 'SOL', message: 'SOL must be a date' },
      {
        row: 7,
        path: 'assignedUsers',
        message: 'No active user has the email unknown@firm.example',
      },
      { row: 8, path: 'caseNo', message: 'Case No must not hold control characters' },
      { row: 8, path: 'judge', message: 'Judge must not hold control characters' },
    ]);
    expect(await countCases()).toBe(before + 1);
  });

  test('assigns active users only', async () => {
    const inactive = await registerUser(app);
    await app.call(accountRoutes.deactivateUser, {
      token: admin.token,
      params: { id: inactive.id },
    });
    const { body } = await upload(csvOf([newRow({ assignedUsers: inactive.email })]));
    expect(body).toMatchObject({ created: 0, errors: [{ row: 2, path: 'assignedUsers' }] });
    const many = Array.from({ length: 5000 }, (_, i) => `p${i}@firm.example`).join(';');
    const crowd = await upload(
      csvOf(Array.from({ length: 100 }, () => newRow({ assignedUsers: many }))),
    );
    expect(crowd.body.errors[0]).toEqual({
      row: 2,
      path: 'assignedUsers',
      message: 'Assigned Users can have at most 100 people',
    });
    expect(crowd.body.errors).toHaveLength(100);
  });

  test('counts rows like a spreadsheet', async () => {
    const linesOf = (row: Cells) => csvOf([row]).slice(csvOf([]).length);
    const good = linesOf(newRow({ 'clientInfo.address': 'One\nTwo\r\nThree' }));
    const bad = () => linesOf(newRow({ caseName: '' }));
    const commas = `${','.repeat(columns.length - 1)}\r\n`;
    const file = [csvOf([]), good, '\r\n', bad(), commas, bad(), '\r\n\r\n', commas].join('');
    const { body } = await upload(file);
    expect(body).toMatchObject({ rows: 3, created: 0 });
    expect(body.errors.map((error) => error.row)).toEqual([4, 6]);
  });

  test.each([
    ['with a byte order mark', (csv: string) => `\uFEFF${csv}`],
    ['with line feeds alone', (csv: string) => csv.replaceAll('\r\n', '\n')],
    ['without an end of the last line', (csv: string) => csv.trimEnd()],
    [
      'with headers as people write them',
      (csv: string) =>
        csv
          .replace('"caseName"', '" Case Name "')
          .replace('"DOI"', 'doi')
          .replace('"clientInfo.name"', 'client info . NAME'),
    ],
    ['with semicolons', (csv: string) => csv.replaceAll('","', '";"')],
    ['with tabs', (csv: string) => csv.replaceAll('","', '"\t"')],
    [
      'with the headers of another product, and dates as in the US',
      (csv: string) =>
        csv
          .replace('"caseNo"', '"Matter Number"')
          .replace('"clientInfo.name"', '"Client Name"')
          .replace('"opposingCounselInfo.phoneNumber"', '"Opposing Counsel Phone"')
          .replaceAll(/"(\d{4})-0?(\d+)-0?(\d+)"/g, '"$2/$3/$1"'),
    ],
    [
      'with columns in another order',
      (csv: string) => {
        const rows: Cells[] = parse(csv, { columns: true });
        return csvOf(rows, columns.toReversed());
      },
    ],
    [
      'without the one column that may be left out',
      (csv: string) => {
        const rows: Cells[] = parse(csv, { columns: true });
        return csvOf(
          rows,
          columns.filter((column) => column !== 'assignedUsers'),
        );
      },
    ],
  ])('reads a file %s', async (_name, write) => {
    const { status, body } = await upload(write(csvOf([newRow(), newRow()])));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { rows: 2, created: 2, errors: [] },
    });
  });

  test('reads Windows-1252, and columns and dates that were chosen by hand', async () => {
    const row = newRow({ judge: 'Müller', SOL: '03.02.2031' });
    const header = columns.map((column) => (column === 'judge' ? 'Richter' : column));
    const csv = csvOf([{ ...row, Richter: row['judge'] ?? '', x: 'y' }], [...header, 'x']);
    const form = (fields: object) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
      data.append('file', new Blob([Uint8Array.from(Buffer.from(csv, 'latin1'))]));
      return data;
    };
    const mapping = Object.fromEntries(columns.map((column, at) => [column, header[at] ?? '']));
    const given = JSON.stringify(mapping);
    const { body } = await send(form({ mapping: given, dates: 'dmy' }));
    expect(body).toMatchObject({ created: 1, mapping, dates: 'dmy', headers: [...header, 'x'] });
    const found = await app.call(caseRoutes.listCases, {
      token: admin.token,
      query: { search: row['caseNo'] ?? '' },
    });
    expect(found.body.cases).toMatchObject([{ judge: 'Müller', SOL: '2031-02-03' }]);
    for (const [fields, path] of [
      [{ mapping: '[' }, 'mapping'],
      [{ mapping: '{"color":"x"}' }, 'mapping'],
      [{ mapping: '{"judge":"Judge"}' }, 'mapping'],
      [{ dates: 'ydm' }, 'dates'],
    ] as const)
      expect(await send(form(fields))).toMatchObject({ status: 400, errors: [{ path }] });
  });

  const rest = columns.slice(2).join(',');
  test.each([
    ['nothing', '', 'The file has no rows'],
    ['a header alone', csvOf([]), 'The file has no rows'],
    ['blank lines alone', `${csvOf([])}\r\n\r\n`, 'The file has no rows'],
    ['commas alone', ','.repeat(99_999), 'A file can have at most 500 columns'],
    [
      'a strange column',
      `color,caseName,caseNo,${rest}\r\n1,2,3`,
      '"color" isn’t a Matterdesk column',
    ],
    ['an empty column', `caseName,caseNo,${rest},\r\n1,2,3`, '"" isn’t a Matterdesk column'],
    ['a missing column', `caseName,${rest}\r\n1,2`, 'The header is missing the column caseNo'],
    [
      'a column twice',
      `caseName,caseNo,Case No,${rest}\r\n1,2`,
      'The header has a duplicate column',
    ],
    ['an empty column', `caseName,caseNo,${rest},\r\n1,2,3`, '"" isn’t a Matterdesk column'],
    ['a missing column', `caseName,${rest}\r\n1,2`, 'The header is missing the column caseNo'],
    [
      'a column twice',
      `caseName,caseNo,Case No,${rest}\r\n1,2`,
      'The header has a duplicate column',
    ],
    [
      'an open quote',
      `${csvOf([])}"Doe v. Roe,1,2\r\n`,
      /^The file is not valid CSV near line \d+$/,
    ],
    ['a stray quote', `${csvOf([])}Doe "v" Roe,1\r\n`, /^The file is not valid CSV near line 2$/],
    [
      'too many cells',
      `${csvOf([])}${'x,'.repeat(30)}\r\n`,
      /^The file is not valid CSV near line 2$/,
    ],
    [
      'an endless cell',
      `${csvOf([])}"${'x'.repeat(200_000)}"\r\n`,
      /^The file is not valid CSV near line 2$/,
    ],
    [
      'UTF-16',
      Uint8Array.from(Buffer.from(`\uFEFF${csvOf([newRow()])}`, 'utf16le')),
      'The file isn’t text. Save it as CSV UTF-8.',
    ],
  ])('refuses a file with %s', async (_name, content, message) => {
    const reply = await upload(content);
    expect(reply).toMatchObject({ status: 400, body: null, errors: [{ path: 'file' }] });
    expect(reply.message).toMatch(message);
  });

  test('accepts a single file in the field file only', async () => {
    const file = () => new Blob([csvOf([newRow()])]);
    const form = (...parts: [string, Blob | string][]) => {
      const data = new FormData();
      for (const [name, part] of parts) data.append(name, part);
      return data;
    };
    const before = await countCases();
    const wrong: [FormData, string][] = [
      [form(), 'Choose a CSV file'],
      [form(['upload', file()]), 'Choose a CSV file'],
      [form(['file', 'a,b']), 'Only a file is accepted'],
      [form(['mode', 'all'], ['file', file()]), 'Only a file is accepted'],
      [form(['file', file()], ['mode', 'all']), 'Only a file is accepted'],
      [form(['file', file()], ['file', file()]), 'Choose one CSV file'],
      [form(['file', file()], ['file', file()], ['file', file()]), 'Choose one CSV file'],
    ];
    for (const [data, message] of wrong)
      expect(await send(data)).toMatchObject({ status: 400, message, body: null });
    expect(await countCases()).toBe(before);
  });

  test.each([
    ['JSON', 'application/json', '{}', 415],
    ['bare CSV', 'text/csv', csvOf([newRow()]), 415],
    ['a form', 'application/x-www-form-urlencoded', 'file=x', 415],
    ['multipart without a boundary', 'multipart/form-data', 'x', 400],
    ['multipart that is none', 'multipart/form-data; boundary=x', 'nothing', 400],
    [
      'multipart cut short',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
  ])('refuses %s', async (_name, contentType, body, status) => {
    const reply = await app.request('/api/v1/cases/import', {
      method: 'POST',
      headers: { 'x-auth-token': clerk.token, 'content-type': contentType },
      body,
    });
    expect(reply).toMatchObject({ status, body: null });
    expect(JSON.parse(reply.text)).toMatchObject({ statusCode: status });
  });

  test('refuses more than 20 MiB and more than 20,000 rows', async () => {
    const size = 20 * 1024 * 1024;
    const tooLarge = { status: 413, message: 'The file can have up to 20 MB', body: null };
    expect(await upload(new Uint8Array(size + 1).fill(120))).toMatchObject(tooLarge);
    expect(await upload(new Uint8Array(size * 2))).toMatchObject(tooLarge);
    expect(await upload(new Uint8Array(size).fill(10))).toMatchObject({ status: 400 });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(size + 20_000)]), 'cases.csv');
    expect(await send(form, { token: user.token })).toMatchObject(tooLarge);
    const rows = 'x,y\r\n'.repeat(20_001);
    expect(await upload(csvOf([]) + rows)).toMatchObject({
      status: 413,
      message: 'A file can have at most 20000 rows',
    });
  });

  // With the others in the batch, and while the batch behind it is on its way.
  test.each([1, 225])(
    'completes one of three parallel files with the same case number after %i others, and nothing of the rest',
    async (others) => {
      const rows = () => Array.from({ length: others }, () => newRow());
      const shared = newRow();
      const before = await countCases();
      const files = [1, 2, 3].map(() => csvOf([...rows(), shared, ...rows()]));
      const replies = await Promise.all(files.map((file) => upload(file)));
      const created = replies.map((reply) => reply.body?.created ?? 0);
      expect(created.toSorted((a, b) => a - b)).toEqual([0, 0, 2 * others + 1]);
      expect(await countCases()).toBe(before + 2 * others + 1);
    },
  );
});

test('an export can be imported unchanged', async () => {
  const other = await startTestApp();
  const owner = await registerAdmin(other);
  const word = `round${unique()}`;
  const hostile = [
    '=1+1',
    "'=1",
    "''-x",
    '-',
    '@',
    "'",
    'Zoë "the" 👩🏽‍⚖️, Esq.',
    '＝x',
    "O'Neil; Sons",
  ];
  for (const caseName of hostile) {
    const own: Partial<NewCase> = {
      caseName,
      judge: word,
      statusType: caseName.length % 2 ? 'Active' : 'Archive',
      clientInfo: { ...newCase().clientInfo, phoneNumber: '+1 555', address: '=a\n\t"b",\n-c' },
    };
    await openCase(app, clerk.token, own);
  }
  const exported = (await exportAll({ search: word })).text;
  const form = new FormData();
  form.append('file', new Blob([exported]), 'cases.csv');
  const headers = { 'x-auth-token': owner.token };
  const reply = await other.request('/api/v1/cases/import', {
    method: 'POST',
    headers,
    body: form,
  });
  expect(reply.body).toMatchObject({ rows: hostile.length, created: hostile.length, errors: [] });
  const again = await other.call(caseRoutes.exportCases, { token: owner.token });
  expect(rowsOf(again.text)).toEqual(rowsOf(exported).toReversed());
  await other.close();
});
