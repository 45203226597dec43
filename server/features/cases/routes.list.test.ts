import { beforeAll, describe, expect, test } from 'vitest';
import { type Case, caseRoutes, type NewCase } from '@matterdesk/contract/cases.ts';
import { suite } from '../../testing/app.ts';
import { newCase, openCase, registerAdmin, unique } from '../../testing/factories.ts';

const { app } = suite({});
let token: string;

beforeAll(async () => {
  token = (await registerAdmin(app)).token;
});

const list = (query: Record<string, string | number> = {}) =>
  app.call(caseRoutes.listCases, { token, query });
const idsOf = (cases: Case[]) => cases.map((one) => one.id);

/** Inserts copies of a case directly; their names are `name` and a number. */
async function copyCases({ id }: Case, count: number, name: string) {
  const fields =
    'status_type, status, type, judge, date_of_opening, managing_attorney, doi, sol, days_open, ' +
    'client_name, client_phone_number, client_email, client_address, counsel_organization, ' +
    'counsel_name, counsel_phone_number, counsel_email, counsel_address';
  await app.pool.query(
    `insert into cases (case_name, case_no, case_no_key, search_text, ${fields})
     select name, name, name, name, ${fields}
     from cases, lateral (select $2::text || n as name from generate_series(1, $3::int) n) names
     where id = $1`,
    [id, name, count],
  );
}

describe('the list of cases', () => {
  test('is complete, newest first, without limit, cursor and search', async () => {
    const opened: Case[] = [];
    for (let n = 0; n < 3; n += 1) opened.push(await openCase(app, token));
    const archived = await openCase(app, token, { statusType: 'Archive' });
    const all = await list();
    expect(all).toMatchObject({ status: 200, message: 'OK' });
    expect(all.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(all.text)).toEqual({ statusCode: 200, message: 'OK', body: all.body });
    expect(all.body.cases).toEqual([archived, ...opened.toReversed()]);
    expect(all.body).toMatchObject({ total: 4, nextCursor: null });
    const active = await list({ statusType: 'Active' });
    expect(active.body.cases).toEqual(opened.toReversed());
    expect((await list({ statusType: 'Archive' })).body.cases).toEqual([archived]);
    expect((await list({ search: '  ' })).body).toEqual(all.body);
  });

  test('comes in finite pages', async () => {
    const all = await list();
    const first = await list({ limit: 3 });
    expect(first.body).toMatchObject({ cases: all.body.cases.slice(0, 3), total: 4 });
    const second = await list({ limit: 3, cursor: first.body.nextCursor ?? '' });
    expect(second.body).toEqual({ cases: all.body.cases.slice(3), total: 4, nextCursor: null });
    expect((await list({ limit: 4 })).body.nextCursor).toBeNull();
    expect((await list({ limit: 1, statusType: 'Archive' })).body).toMatchObject({
      total: 1,
      nextCursor: null,
    });
  });

  test.each([
    [{ limit: 0 }, 'limit', 'Limit must be a whole number from 1 to 200'],
    [{ limit: 201 }, 'limit', 'Limit must be a whole number from 1 to 200'],
    [{ limit: 'x' }, 'limit', 'Limit must be a whole number from 1 to 200'],
    [{ limit: '1e1' }, 'limit', 'Limit must be a whole number from 1 to 200'],
    [{ statusType: 'Open' }, 'statusType', 'Status Type must be one of Active, Archive'],
    [{ cursor: 'nonsense' }, 'cursor', 'Invalid cursor'],
    [{ cursor: cursorOf('1', '2') }, 'cursor', 'Invalid cursor'],
    [{ cursor: cursorOf('-1') }, 'cursor', 'Invalid cursor'],
    [{ cursor: cursorOf('9'.repeat(19)) }, 'cursor', 'Invalid cursor'],
  ])('refuses %j', async (query, path, message) => {
    expect(await list(query as Record<string, string>)).toMatchObject({
      status: 400,
      message,
      errors: [{ path, message }],
    });
  });

  test('shows each row once during a cursor walk, despite parallel changes', async () => {
    const name = `walk${unique()}-`;
    await copyCases(await openCase(app, token), 1000, name);
    const before = new Set(idsOf((await list()).body.cases));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { limit: 97, ...(cursor && { cursor }) };
      const { body } = await list(query);
      seen.push(...idsOf(body.cases));
      cursor = body.nextCursor;
      await openCase(app, token);
      await app.call(caseRoutes.changeCase, {
        token,
        params: { id: seen[seen.length - 50] ?? '' },
        body: { judge: 'Hon. Learned Hand' },
      });
    } while (cursor);
    expect(seen).toHaveLength(before.size);
    expect(new Set(seen)).toEqual(before);
  });

  test('counts exactly up to ten thousand and caps the total above', async () => {
    const name = `many${unique()}-`;
    const one = await openCase(app, token, { caseName: `${name}0` });
    await copyCases(one, 9999, name);
    const exact = await list({ search: name, limit: 1 });
    expect(exact.body.total).toBe(10_000);
    expect(exact.body).not.toHaveProperty('totalIsCapped');
    await openCase(app, token, { judge: `${name}10000` });
    expect((await list({ search: name, limit: 1 })).body).toMatchObject({
      total: 10_000,
      totalIsCapped: true,
    });
    const whole = await list();
    expect(whole.body).toMatchObject({ total: 10_000, totalIsCapped: true, nextCursor: null });
    expect(new Set(idsOf(whole.body.cases)).size).toBeGreaterThan(10_000);
  });
});

describe('a search for cases', () => {
  /** Names of the cases that a term finds among those with this mark in the managing attorney. */
  async function find(term: string, mark: string, query: Record<string, string | number> = {}) {
    const { body } = await list({ search: term, limit: 200, ...query });
    return body.cases.filter((one) => one.managingAttorney === mark).map((one) => one.caseName);
  }

  async function openNamed(names: string[]) {
    const mark = `Attorney ${unique()}`;
    for (const caseName of names) await openCase(app, token, { caseName, managingAttorney: mark });
    return mark;
  }

  test('returns fifty rows without a limit', async () => {
    const { body } = await list({ search: 'walk' });
    expect(body.cases).toHaveLength(50);
    expect(body.nextCursor).not.toBeNull();
  });

  test.each([
    ['50%', ['50% share', '50 % share', '500 shares'], ['50% share']],
    ['a_b', ['a_b', 'axb', 'A_B'], ['A_B', 'a_b']],
    ['c:\\d', ['C:\\d', 'C:d', 'C:\\\\d'], ['C:\\d']],
    ['\\', ['back\\slash', 'slash/'], ['back\\slash']],
    ['%', ['100%', '100'], ['100%']],
    ['_', ['_', '-'], ['_']],
    ["'", ["O'Neil", 'ONeil'], ["O'Neil"]],
    ['é', ['café', 'cafe'], ['café']],
    ['ß', ['Maß', 'Mass', 'Mas'], ['Mass', 'Maß']],
    [':*', ['a:*', 'a:'], ['a:*']],
    ['⚖️', ['Law ⚖️', 'Law'], ['Law ⚖️']],
    ['". 7"', ['No. 7', 'No.7'], ['No. 7']],
    ["O'Neil", ["O'Neil", 'O"Neil', 'ONeil'], ["O'Neil"]],
    ['"; drop', ['"; drop table cases', 'drop'], ['"; drop table cases']],
    ['STRASSE', ['Straße', 'Strasse', 'STRAẞE', 'Strase'], ['STRAẞE', 'Strasse', 'Straße']],
    ['straße', ['Straße', 'Strasse', 'STRAẞE'], ['STRAẞE', 'Strasse', 'Straße']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ', 'Οδός'], ['οδοσ', 'οδος']],
    ['οδος', ['ΟΔΟΣ ΑΒ', 'ΟΔΟΣΑ'], ['ΟΔΟΣΑ', 'ΟΔΟΣ ΑΒ']],
    ['İSTANBUL', ['İstanbul', 'i̇stanbul', 'Ankara'], ['i̇stanbul', 'İstanbul']],
    ['muller', ['Müller', 'Muller', 'MULLER'], ['MULLER', 'Muller']],
    ['MU\u0308LLER', ['Müller', 'Mu\u0308ller', 'Muller'], ['Müller', 'Müller']],
    ['müller', ['MU\u0308LLER', 'MÜLLER'], ['MÜLLER', 'MÜLLER']],
    ['👩🏽‍⚖️', ['The 👩🏽‍⚖️ rules', '⚖️'], ['The 👩🏽‍⚖️ rules']],
    ['ДЕЛО', ['дело', 'Дело', 'дел'], ['Дело', 'дело']],
    ['事件', ['この事件は', '事'], ['この事件は']],
    ['  spaced  ', ['well spaced out', 'spaces'], ['well spaced out']],
    ['b  a', ['a  b', 'a b'], ['a b', 'a  b']],
    ['"a  b"', ['a  b', 'a b'], ['a  b']],
  ])('treats %s literally and ignores case', async (term, names, found) => {
    const mark = await openNamed(names);
    expect(await find(term, mark)).toEqual(found);
  });

  test('searches every promised field and no other', async () => {
    const n = unique();
    const word = (field: string) => `${field}${n}x`;
    const mark = `managingAttorney${n}x`;
    const own: Partial<NewCase> = {
      caseName: word('caseName'),
      caseNo: word('caseNo'),
      judge: word('judge'),
      managingAttorney: mark,
      dateOfOpening: '1987-06-05',
      DOI: '1987-06-04',
      SOL: '1987-06-03',
      daysOpen: 98_765,
      clientInfo: {
        name: word('clientName'),
        phoneNumber: word('clientPhone'),
        email: `${word('clientMail')}@client.example`,
        address: `First line\n${word('clientAddress')}`,
      },
      opposingCounselInfo: {
        organization: word('counselOrganization'),
        name: word('counselName'),
        phoneNumber: word('counselPhone'),
        email: `${word('counselMail')}@roe.example`,
        address: word('counselAddress'),
      },
    };
    await openCase(app, token, { ...own, status: 'ADR', type: 'Med-Mal' });
    const fields =
      'caseName caseNo judge managingAttorney clientName clientPhone clientMail clientAddress ' +
      'counselOrganization counselName counselPhone counselMail counselAddress';
    for (const field of fields.split(' '))
      expect(await find(word(field).toUpperCase(), mark)).toHaveLength(1);
    for (const term of ['adr', 'med-mal']) expect(await find(term, mark)).toHaveLength(1);
    for (const term of ['1987', '98765', '98,765', 'active', 'lovelace'])
      expect(await find(term, mark)).toEqual([]);
    // A term never spans two fields.
    for (const term of [`x${word('caseNo')}`, `"x ${word('caseNo')}"`, `ADRMed-Mal`])
      expect(await find(term, mark)).toEqual([]);
  });

  test('follows changes and respects the status type', async () => {
    const n = unique();
    const { id } = await openCase(app, token, {
      caseName: `before${n}`,
      managingAttorney: 'Mover',
    });
    const changed = { caseName: `after${n}`, statusType: 'Archive' };
    await app.call(caseRoutes.changeCase, { token, params: { id }, body: changed });
    expect(await find(`before${n}`, 'Mover')).toEqual([]);
    expect(await find(`AFTER${n}`, 'Mover')).toEqual([`after${n}`]);
    expect(await find(`after${n}`, 'Mover', { statusType: 'Archive' })).toEqual([`after${n}`]);
    expect(await find(`after${n}`, 'Mover', { statusType: 'Active' })).toEqual([]);
  });

  test('pages through its hits like the list', async () => {
    const n = unique();
    const names = Array.from({ length: 7 }, (_, i) => `Walker${n} ${i}`);
    const mark = await openNamed(names);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { limit: 2, search: `walker${n}` };
      const { body } = await list({ ...query, ...(cursor && { cursor }) });
      expect(body.total).toBe(7);
      found.push(...body.cases.map((one) => one.caseName));
      cursor = body.nextCursor;
    } while (cursor);
    expect(found).toEqual(names.toReversed());
    expect(await find(`Walker${n}`, mark)).toEqual(found);
  });

  test('refuses text that no field can contain', async () => {
    for (const search of ['a\u0000b', 'x'.repeat(201), '\u202Eabc'])
      expect(await list({ search })).toMatchObject({
        status: 400,
        errors: [{ path: 'search' }],
      });
    expect(await list({ search: newCase().caseName })).toMatchObject({ status: 200 });
  });
});

/** A cursor in the server's format. */
function cursorOf(...key: string[]) {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

describe('an arranged list of cases', () => {
  const mark = `Arranged${unique()}x`;
  const names = {
    asc: ['Ångström', 'berger', 'Zuse'],
    SOL: ['2027-03-01', '2026-12-24', '2031-01-31'],
  };
  let me: { id: string; token: string };
  beforeAll(async () => {
    me = await registerAdmin(app);
    for (const [index, name] of names.asc.entries())
      await openCase(app, token, {
        caseName: `${name} ${mark}`,
        SOL: names.SOL[index] ?? '',
        daysOpen: [7, 300, 40][index] ?? 0,
        status: index === 1 ? 'ADR' : 'Litigation',
        type: index === 2 ? 'Civil' : 'PI',
        assignedUsers: index === 0 ? [me.id] : [],
      });
  });
  const shown = async (query: Record<string, string | number>) => {
    const { body } = await app.call(caseRoutes.listCases, {
      token: me.token,
      query: { search: mark, ...query },
    });
    return { ...body, names: body.cases.map(({ caseName }) => caseName.split(' ')[0]) };
  };

  test.each([
    ['newest', ['Zuse', 'berger', 'Ångström']],
    ['sol', ['berger', 'Ångström', 'Zuse']],
    ['caseName', ['Ångström', 'berger', 'Zuse']],
    ['daysOpen', ['Ångström', 'Zuse', 'berger']],
  ])('is sorted by %s, page by page, both ways', async (sort, expected) => {
    for (const statusType of ['Active', ''] as const)
      for (const [wanted, order] of [
        [sort, expected],
        [`-${sort}`, expected.toReversed()],
      ] as const) {
        const query = { sort: wanted, ...(statusType && { statusType }), limit: 2 };
        const first = await shown(query);
        expect(first.names).toEqual(order.slice(0, 2));
        expect(first.total).toBe(3);
        const rest = await shown({ ...query, cursor: first.nextCursor ?? '' });
        expect(rest).toMatchObject({ names: order.slice(2), total: 3, nextCursor: null });
      }
  });

  test('holds the cases of a status, a type and a user', async () => {
    expect((await shown({ status: 'ADR' })).names).toEqual(['berger']);
    expect(await shown({ type: 'PI', sort: 'caseName' })).toMatchObject({
      names: ['Ångström', 'berger'],
      total: 2,
    });
    expect((await shown({ assigned: 'me' })).names).toEqual(['Ångström']);
    expect((await shown({ assigned: me.id, type: 'Civil' })).names).toEqual([]);
    expect((await shown({ assigned: 'no one' })).total).toBe(0);
    const { body } = await list({ assigned: me.id });
    expect(body.cases.map(({ caseName }) => caseName)).toEqual([`Ångström ${mark}`]);
  });

  test('refuses unknown orders, and the cursor of another order', async () => {
    expect(await list({ sort: 'judge' })).toMatchObject({
      status: 400,
      errors: [{ path: 'sort' }],
    });
    const { nextCursor } = await shown({ sort: 'sol', limit: 1 });
    expect(await list({ sort: 'caseName', cursor: nextCursor ?? '' })).toMatchObject({
      status: 400,
      errors: [{ path: 'cursor' }],
    });
  });
});
