import { describe, expect, test } from 'vitest';
import { intakeFormRoutes, type NewIntakeForm } from '@matterdesk/contract/intake-forms.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { startTestApp, suite } from '../../../testing/app.ts';
import { nextEvent } from '../../../testing/client.ts';
import { registerAdmin, registerUser, unique } from '../../../testing/factories.ts';
import { makeStamp } from './rules.ts';

const { app, admin, first, second } = suite(
  { admin: registerAdmin, first: registerUser, second: registerUser },
  { env: { TRUST_PROXY: '1' } },
);
const SECRET_KEY = '5ea1'.repeat(16);
const NAMES = [
  { key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' },
  { key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' },
  { key: 'email', label: 'Email', kind: 'email', maps: 'email' },
] as const;
const FIELDS = [
  ...NAMES,
  { key: 'other', label: 'Who else?', kind: 'line', maps: 'opposingParty' },
  { key: 'hurt', label: 'Were you hurt?', kind: 'yesNo' },
  {
    key: 'where',
    label: 'Where?',
    kind: 'line',
    required: true,
    showIf: { key: 'hurt', equals: 'Yes' },
  },
  { key: 'story', label: 'What happened?', kind: 'paragraphs', maps: 'description' },
  { key: 'photos', label: 'Photos', kind: 'file' },
];

async function addForm(own: Partial<NewIntakeForm> | { fields: unknown } = {}) {
  const body = { slug: `form-${unique()}`, name: 'Accidents', type: 'PI', fields: FIELDS };
  const reply = await app.call(intakeFormRoutes.addForm, {
    token: admin.token,
    body: { ...body, active: true, ...own },
  });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.form;
}

/** As old as a page that was filled in by hand. */
const stampFor = (slug: string, age = 60_000) => makeStamp(SECRET_KEY, slug, Date.now() - age);
const ANSWERS = {
  'f-name': 'Denise Okonkwo',
  'f-phone': '518 555 0142',
  'f-other': 'Calloway Foods',
  'f-hurt': 'No',
  'f-story': 'A truck hit me.',
  understood: 'yes',
};

function send(
  slug: string,
  own: Record<string, string> = {},
  { address = `10.0.${unique() % 250}.${unique() % 250}`, files = [] as string[], at = app } = {},
) {
  const body = new FormData();
  const given = { stamp: stampFor(slug), ...ANSWERS, ...own };
  for (const [name, value] of Object.entries(given)) body.append(name, value);
  for (const name of files) body.append('f-photos', new Blob(['x']), name);
  return at.request(`/intake/${slug}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'x-forwarded-for': address },
  });
}

const list = async (query: Record<string, string | number> = {}) =>
  (
    await app.call(intakeRoutes.listIntakes, {
      token: admin.token,
      query: { limit: 200, ...query },
    })
  ).body;
const countOf = async () => (await list()).total + (await list({ spam: '1' })).total;

describe('building', () => {
  test.each([
    [{ fields: NAMES.slice(1) }, 'Please ask for the name, and for a phone number'],
    [{ fields: NAMES.slice(0, 1) }, 'Please ask for the name, and for a phone number'],
    [{ fields: [...NAMES, NAMES[0]] }, 'Two questions have the key name'],
    [
      { fields: [...NAMES, { key: 'a', label: 'A', kind: 'choice' }] },
      'Please enter at least one option',
    ],
    [
      {
        fields: [
          ...NAMES,
          { key: 'a', label: 'A', kind: 'line', showIf: { key: 'b', equals: 'x' } },
        ],
      },
      'Please choose an answer of an earlier question',
    ],
    [{ slug: 'Not A Slug' }, 'Slug must be lower-case letters, digits and hyphens'],
    [{ origins: ['firm.example'] }, 'Origins must be addresses'],
    [{ owners: ['x'] }, 'Only active users can be assigned'],
  ])('refuses %j', async (own, message) => {
    const body = { slug: `form-${unique()}`, name: 'Accidents', fields: FIELDS, ...own };
    const reply = await app.call(intakeFormRoutes.addForm, { token: admin.token, body });
    expect(reply.status).toBe(400);
    expect(reply.message).toContain(message);
  });

  test('a form that is sent again with its key is added once', async () => {
    const body = { slug: `form-${unique()}`, name: 'Accidents', fields: FIELDS };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const add = () => app.call(intakeFormRoutes.addForm, { token: admin.token, body, headers });
    const [first, second] = [await add(), await add()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.form.id).toBe(first.body.form.id);
  });

  test('begins with three forms that are off, and reads none of them to strangers', async () => {
    const { forms } = (await app.call(intakeFormRoutes.listForms, { token: admin.token })).body;
    const shipped = forms.filter(({ slug }) => !slug.startsWith('form-'));
    expect(shipped.map(({ type, active }) => [type, active])).toEqual([
      ['Civil', false],
      ['Med-Mal', false],
      ['PI', false],
    ]);
    expect((await app.request('/intake/civil')).status).toBe(404);
    const params = { id: shipped[0]?.id ?? '' };
    const call = { token: admin.token, params, body: { active: true } };
    expect((await app.call(intakeFormRoutes.changeForm, call)).status).toBe(200);
    expect((await app.request('/intake/civil')).text).toContain('Who is on the other side?');
    await app.call(intakeFormRoutes.changeForm, { ...call, body: { active: false } });
  });
});

describe('a page', () => {
  test('has no script and no cookie, and is framed by its origins alone', async () => {
    const { slug } = await addForm({ origins: ['https://www.firm.example'] });
    const framed = await app.request(`/intake/${slug}?source=Billboard`);
    expect(framed.text).not.toMatch(/<script|\son\w+=/);
    expect(framed.headers.get('set-cookie')).toBeNull();
    expect(framed.headers.get('content-security-policy')).toContain(
      'frame-ancestors https://www.firm.example',
    );
    expect(framed.headers.get('x-frame-options')).toBeNull();
    const alone = await app.request(`/intake/${(await addForm()).slug}`);
    expect(alone.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(alone.headers.get('x-frame-options')).toBe('DENY');
  });

  test('that was filled in becomes an intake of the owner whose turn it is', async () => {
    const owners = [first.id, second.id];
    const form = await addForm({ owners });
    const arriving = nextEvent(await app.socket(first.token), 'intake.created');
    const reply = await send(
      form.slug,
      { source: 'Billboard', mayText: 'yes', 'f-where': 'Not asked' },
      { files: ['a.png', 'a.png'] },
    );
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `/intake/${form.slug}/thanks`,
    ]);
    const { id } = await arriving;
    const { body } = await app.call(intakeRoutes.readIntake, {
      token: first.token,
      params: { id },
    });
    expect(body.intake).toMatchObject({
      name: 'Denise Okonkwo',
      phoneNumber: '518 555 0142',
      email: null,
      type: 'PI',
      description: 'A truck hit me.',
      parties: [{ name: 'Calloway Foods', role: 'opposingParty' }],
      source: 'Billboard',
      form: { id: form.id, name: 'Accidents' },
      owner: { id: first.id },
      textConsent: { wording: 'You may text me at this number.' },
      isSpam: false,
    });
    expect(body.answers).toContainEqual({ label: 'Were you hurt?', value: 'No' });
    expect(body.answers.some(({ label }) => label === 'Where?')).toBe(false);
    expect(body.files.map(({ name }) => name)).toEqual(['a (2).png', 'a.png'].toSorted());
    await send(form.slug);
    expect((await list({ owner: second.id })).total).toBe(1);
  });

  test('with a mistake comes back with the answers, and then goes through', async () => {
    const { slug } = await addForm();
    const stamp = stampFor(slug);
    const before = await countOf();
    const wrong = await send(slug, {
      stamp,
      'f-name': '',
      'f-phone': '',
      'f-hurt': 'Yes',
      'f-story': '<b>"Quoted" & hit</b>',
      understood: '',
    });
    expect(wrong.status).toBe(400);
    for (const expected of [
      'Your name: please answer',
      'Please enter a phone number or an e-mail address',
      'Where?: please answer',
      'Please check this box',
      '&lt;b&gt;&quot;Quoted&quot; &amp; hit&lt;/b&gt;',
    ])
      expect(wrong.text).toContain(expected);
    expect(await countOf()).toBe(before);
    const again = /name="stamp" value="([^"]+)"/.exec(wrong.text)?.[1] ?? '';
    expect((await send(slug, { stamp: again })).status).toBe(303);
    expect((await list({ spam: '1' })).total).toBe(0);
    expect(await countOf()).toBe(before + 1);
  });

  test('adds nothing when it is sent twice, and is refused once it is old or not from here', async () => {
    const { slug } = await addForm();
    const stamp = stampFor(slug);
    const before = await countOf();
    const both = await Promise.all([send(slug, { stamp }), send(slug, { stamp })]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await countOf()).toBe(before + 1);
    for (const bad of [stampFor(slug, 25 * 3_600_000), stampFor('another'), 'x.y.z', ''])
      expect(await send(slug, { stamp: bad })).toMatchObject({
        status: 400,
        text: expect.stringContaining('This page was open for too long') as string,
      });
  });

  test.each([
    ['the hidden field', { website: 'x' }],
    ['a fast sender', { age: '0' }],
    ['many links', { 'f-story': 'http://a http://b www.c https://d' }],
  ])(
    'puts what looks like spam apart, with the same thanks: %s',
    async (_, { age, ...own }: Record<string, string>) => {
      const { slug } = await addForm();
      const before = (await list({ spam: '1' })).total;
      const stamp = stampFor(slug, age === undefined ? 60_000 : 0);
      expect((await send(slug, { stamp, ...own })).status).toBe(303);
      expect((await list({ spam: '1' })).total).toBe(before + 1);
    },
  );

  test.each([[{ files: Array.from({ length: 6 }, (_, n) => `${n}.txt`) }, 'at most 5 files']])(
    'takes no more files than it says',
    async ({ files }, message) => {
      const { slug } = await addForm();
      const reply = await send(slug, {}, { files });
      expect([reply.status, reply.text.includes(message)]).toEqual([400, true]);
    },
  );
});

/** Another network for each. */
const addressOf = (n: number) => `10.9.${Math.floor(n / 250)}.${n % 250}`;

/** Sends so many, some at a time, and counts the replies by status. */
async function sendMany(count: number, sendOne: (n: number) => Promise<{ status: number }>) {
  const outcomes: Record<number, number> = {};
  for (let n = 0; n < count; n += 26) {
    const portion = Array.from({ length: Math.min(26, count - n) }, (_, k) => sendOne(n + k));
    for (const { status } of await Promise.all(portion))
      outcomes[status] = (outcomes[status] ?? 0) + 1;
  }
  return outcomes;
}

const read = async (id: string) =>
  (await app.call(intakeRoutes.readIntake, { token: admin.token, params: { id } })).body;

describe('a crowd of inquiries', { timeout: 120_000 }, () => {
  test('has ten an hour from each network, however its addresses are written', async () => {
    const { slug } = await addForm();
    const from = (address: string) => send(slug, {}, { address });
    const given = ['192.0.2.70', '::ffff:192.0.2.70', '::ffff:c000:246', '192.0.2.70:4711'];
    for (let n = 0; n < 10; n += 1) {
      expect((await from(given[n % given.length] ?? '')).status).toBe(303);
      expect((await from(`2001:db8:0:7:${n}::1`)).status).toBe(303);
    }
    for (const address of [...given, '2001:db8:0:7:ffff::1'])
      expect(await from(address)).toMatchObject({ status: 429 });
    for (const address of ['192.0.2.71', '2001:db8:0:8::1'])
      expect((await from(address)).status).toBe(303);
  });

  test('is taken beyond a hundred an hour, apart and without files, in every process', async () => {
    const { slug } = await addForm({ owners: [first.id] });
    const [before, spamBefore] = [(await list()).total, (await list({ spam: '1' })).total];
    const beside = await startTestApp({ database: app.database, env: { TRUST_PROXY: '1' } });
    const sent = sendMany(298, (n) =>
      send(slug, {}, { address: addressOf(n), at: n % 2 === 0 ? app : beside }),
    );
    expect(await sent).toEqual({ 303: 298 });
    await beside.close();
    const name = `Honest Inquirer ${unique()}`;
    const honest = await send(slug, { 'f-name': name }, { files: ['a.png'] });
    expect([honest.status, honest.headers.get('location')]).toEqual([
      303,
      `/intake/${slug}/thanks`,
    ]);
    expect((await list()).total).toBe(before + 100);
    expect((await list({ spam: '1' })).total).toBe(spamBefore + 199);
    const { intakes } = await list({ spam: '1', search: name });
    const { intake, files, activity } = await read(intakes[0]?.id ?? '');
    expect(intake).toMatchObject({ name, isSpam: true, owner: null });
    expect(files).toEqual([]);
    expect(activity.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Many inquiries came in at once: check if it is genuine'),
    );
  });

  test('of spam does not count for the form', async () => {
    const { slug } = await addForm();
    const fast = stampFor.bind(undefined, slug, 0);
    const junk = (n: number) => send(slug, { stamp: fast() }, { address: addressOf(n) });
    expect(await sendMany(150, junk)).toEqual({ 303: 150 });
    const stamp = stampFor(slug);
    for (let n = 0; n < 110; n += 1) await send(slug, { stamp }, { address: addressOf(n) });
    const name = `Honest Inquirer ${unique()}`;
    expect((await send(slug, { 'f-name': name }, { files: ['a.png'] })).status).toBe(303);
    const { intakes } = await list({ search: name });
    const { intake, files } = await read(intakes[0]?.id ?? '');
    expect(intake).toMatchObject({ name, isSpam: false });
    expect(files.map((file) => file.name)).toEqual(['a.png']);
  });

  test('has an end, for the sake of the disk', async () => {
    const form = await addForm();
    await app.pool.query(
      `insert into attempts (key) select 'intake form ' || $1 || ' at all' from generate_series(1, 5000)`,
      [form.id],
    );
    const refused = await send(form.slug);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  });
});
