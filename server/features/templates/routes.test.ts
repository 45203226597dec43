import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { fileRoutes } from '@matterdesk/contract/files.ts';
import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { type Template, templateRoutes, WORD_TYPE } from '@matterdesk/contract/templates.ts';
import { addDays } from '../../core/dates.ts';
import { readWord } from '../../integrations/documents/word.ts';
import { writeWord } from '../../integrations/templates/word-file.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  addContact,
  addEvent,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
  unique,
  restrict,
} from '../../testing/factories.ts';
import { sendTemplate } from '../../testing/uploads.ts';

const { app, admin, writer, user } = suite({
  admin: registerAdmin,
  writer: (to) => registerWith(to, { editTemplates: true }),
  user: registerUser,
});
let caseId: string;
let today: string;

beforeAll(async () => {
  const body = { name: 'Owusu & Lindqvist LLP', timeZone: 'America/New_York' };
  await app.call(firmRoutes.changeFirm, { token: admin.token, body });
  today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' });
  const clientInfo = {
    name: 'Ngozi Abara',
    phoneNumber: '(518) 555-0142',
    email: 'ngozi@client.example',
    address: '14 Elm Street\nAlbany',
  };
  const opened = await openCase(app, admin.token, { type: 'PI', clientInfo });
  caseId = opened.id;
});

type Person = Pick<SignedInPerson, 'token'>;
const word = (...lines: string[]) => writeWord(lines.map((text) => ({ text })));

async function add(lines: string[], fields: Record<string, string> = {}, by: Person = writer) {
  const own = { name: `Letter ${unique()}`, ...fields };
  const sent = { fields: own, bytes: word(...lines) };
  const reply = await sendTemplate(app, { token: by.token }, sent);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body;
}
const make = (body: object, query = {}) =>
  app.call(templateRoutes.makeDocuments, {
    token: user.token,
    params: { id: caseId },
    query,
    body,
  });
/** The text of a made document. */
async function textOf(url: string): Promise<string> {
  const word = await readWord(await bytesOf(url));
  return word
    .pages()
    .map(({ text }) => text)
    .join('\n');
}
async function bytesOf(path: string, by: Person = user): Promise<Buffer> {
  const response = await fetch(app.url + path, { headers: { 'x-auth-token': by.token } });
  return Buffer.from(await response.arrayBuffer());
}
const provider = (own: object) =>
  addContact(app, admin.token, { kind: 'organisation', name: `Clinic ${unique()}`, ...own });

describe('a template', () => {
  test('is added by those with editTemplates alone, and listed by name for everyone', async () => {
    const name = `Aa letter ${unique()}`;
    const { template, problems } = await add(['Dear {{client.name}}'], {
      name,
      types: 'PI, Civil',
    });
    expect(problems).toEqual([]);
    expect(template).toMatchObject({
      name,
      types: ['PI', 'Civil'],
      active: true,
      version: 1,
      versions: [{ n: 1, by: { id: writer.id }, problems: [] }],
      fields: ['client.name'],
      questions: [],
      usesLists: false,
    });
    const { body } = await app.call(templateRoutes.listTemplates, {
      token: user.token,
      query: { search: name },
    });
    expect(body.templates).toEqual([template]);
    const bytes = word('Hello');
    const refused = await sendTemplate(
      app,
      { token: user.token },
      { fields: { name: 'No' }, bytes },
    );
    expect(refused).toMatchObject(NOT_PERMITTED);
  });

  test('is found by the types of matters that it is for, and without types by each', async () => {
    const search = `type${unique()}`;
    await add(['Hi'], { name: `${search} civil`, types: 'Civil' });
    await add(['Hi'], { name: `${search} every` });
    const listed = async (query: Record<string, string>) =>
      (
        await app.call(templateRoutes.listTemplates, { token: user.token, query })
      ).body.templates.map(({ name }) => name.split(' ')[1]);
    expect(await listed({ search })).toEqual(['civil', 'every']);
    expect(await listed({ search, type: 'Civil' })).toEqual(['civil', 'every']);
    expect(await listed({ search, type: 'PI' })).toEqual(['every']);
    await add(['Hi'], { name: `${search} Straße` });
    for (const word of ['Straße', 'STRASSE'])
      expect(await listed({ search: `${search} ${word}` })).toEqual(['Straße']);
  });

  test('with problems is kept and names them, and is used only once they are mended', async () => {
    const { template, problems } = await add(['Dear {{client.nmae}}']);
    expect(problems).toEqual([
      {
        place: 'Paragraph 1',
        message: '{{client.nmae}} is not a field. Did you mean client.name?',
      },
    ]);
    expect(template.version).toBeNull();
    expect(await make({ template: template.id })).toMatchObject({
      status: 409,
      message: 'This template has problems',
    });
    const { id } = template;
    const mended = await sendTemplate(
      app,
      { token: writer.token, id },
      {
        bytes: word('Dear {{client.name}}'),
      },
    );
    expect(mended.body.template).toMatchObject({ version: 2, fields: ['client.name'] });
    // The newest is broken again: the one before it stays in use.
    await sendTemplate(app, { token: writer.token, id }, { bytes: word('{{#client.name}}') });
    const { body } = await make({ template: id }, { dryRun: '1' });
    expect(body).toMatchObject({ missing: [], problems: [{ place: 'Paragraph 1' }] });
  });

  test('takes another name and other types with a newer version', async () => {
    const { template } = await add(['Hello']);
    const to = { token: writer.token, id: template.id };
    const fields = { name: `Renamed ${unique()}`, types: 'PI' };
    const { body } = await sendTemplate(app, to, { fields, bytes: word('Hello again') });
    expect(body.template).toMatchObject({ name: fields.name, types: ['PI'], version: 2 });
    const unknown = { ...to, id: randomUUID() };
    expect(await sendTemplate(app, unknown, { bytes: word('x') })).toMatchObject({ status: 404 });
    const wrong = await sendTemplate(app, to, { fields: { types: 'Tort' }, bytes: word('x') });
    expect(wrong).toMatchObject({ status: 400, errors: [{ path: 'types.0' }] });
  });

  test('out of use is read by those with editTemplates alone, and makes nothing', async () => {
    const { template } = await add(['Hello']);
    const params = { id: template.id };
    const change = { token: writer.token, params, body: { active: false, name: 'Old letter' } };
    expect((await app.call(templateRoutes.changeTemplate, change)).body.template).toMatchObject({
      active: false,
      name: 'Old letter',
    });
    const file = (by: Person) =>
      app.call(templateRoutes.readTemplateFile, { token: by.token, params });
    expect((await file(user)).status).toBe(404);
    expect((await file(writer)).status).toBe(200);
    expect(await make({ template: template.id })).toMatchObject({
      status: 409,
      message: 'This template is not active',
    });
    const refused = { ...change, token: user.token };
    expect(await app.call(templateRoutes.changeTemplate, refused)).toMatchObject({ status: 403 });
  });

  test('gives back each version as it was uploaded', async () => {
    const first = word('First');
    const fields = { name: `File ${unique()}` };
    const { template } = (
      await sendTemplate(app, { token: writer.token }, { fields, bytes: first })
    ).body;
    const { id } = template;
    await sendTemplate(app, { token: writer.token, id }, { bytes: word('Second') });
    const path = `/api/v1/templates/${id}/file`;
    expect(await bytesOf(`${path}?version=1`)).toEqual(first);
    expect(await bytesOf(path)).toEqual(word('Second'));
    const { headers } = await fetch(app.url + path, { headers: { 'x-auth-token': user.token } });
    expect(headers.get('content-type')).toBe(WORD_TYPE);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    const query = { version: '3' };
    const none = await app.call(templateRoutes.readTemplateFile, {
      token: user.token,
      params: { id },
      query,
    });
    expect(none.status).toBe(404);
  });

  test('that is no Word file, or too large, leaves nothing', async () => {
    const name = `None ${unique()}`;
    const send = (bytes: Uint8Array) =>
      sendTemplate(app, { token: writer.token }, { fields: { name }, bytes });
    expect(await send(Buffer.from('no'))).toMatchObject({
      status: 400,
      errors: [{ path: 'file' }],
    });
    expect((await send(Buffer.alloc(20 * 1024 * 1024 + 1))).status).toBe(413);
    const named = await sendTemplate(
      app,
      { token: writer.token },
      { fields: { name: ' ' }, bytes: word('x') },
    );
    expect(named).toMatchObject({ status: 400, errors: [{ path: 'name' }] });
    const query = { search: name };
    const { body } = await app.call(templateRoutes.listTemplates, { token: writer.token, query });
    expect(body.templates).toEqual([]);
  });

  test('leaves entries in the record', async () => {
    const { template } = await add(['Hello'], { name: 'Recorded letter' });
    const query = { entity: template.id };
    const { body } = await app.call(auditRoutes.listEntries, { token: admin.token, query });
    expect(body.entries[0]).toMatchObject({
      action: 'created',
      entity: 'template',
      actor: { id: writer.id },
      after: { name: 'Recorded letter', version: 1 },
    });
  });
});

test('the fields have labels, samples and their lists', async () => {
  const { body } = await app.call(templateRoutes.listTemplateFields, { token: user.token });
  const byPath = new Map(body.fields.map((field) => [field.path, field]));
  expect(byPath.get('client.dateOfBirth')).toMatchObject({
    label: 'Client: date of birth',
    sample: 'May 9, 1988',
    isList: false,
  });
  expect(byPath.get('parties.insurer')).toMatchObject({ isList: true });
  expect(byPath.get('parties.insurer.phoneNumber')).toBeDefined();
  expect(body.fields.every(({ sample }) => typeof sample === 'string')).toBe(true);
});

describe('a document', () => {
  test('says what is missing before it is made, with the names that it would have', async () => {
    const { template } = await add([
      'Re: {{client.name}}, born {{client.dateOfBirth}}',
      'Born {{client.dateOfBirth}}. {{ask ‘Which records?’}}',
    ]);
    const { status, body } = await make({ template: template.id }, { dryRun: '1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      missing: [
        {
          path: 'client.dateOfBirth',
          label: 'Client: date of birth',
          places: ['Paragraph 1', 'Paragraph 2'],
          count: 2,
          for: null,
          kind: 'date',
          isQuestion: false,
        },
        { path: 'Which records?', count: 1, isQuestion: true },
      ],
      questions: ['Which records?'],
      names: [`${template.name} – ${today} DRAFT.docx`],
      problems: [],
    });
    expect(JSON.stringify(body)).toContain('[Client: date of birth]');
    expect(await make({ template: template.id })).toMatchObject({
      status: 409,
      message: '2 fields are empty',
    });
    const answers = { 'Which records?': 'All of them', 'client.dateOfBirth': '1988-05-09' };
    const done = await make({ template: template.id, answers });
    expect(done.status).toBe(201);
    const [made] = 'documents' in done.body ? done.body.documents : [];
    expect(made).toMatchObject({ pdfUrl: null, missing: [], for: null });
    const text = await textOf(made?.url ?? '');
    expect(text).toContain('Ngozi Abara, born May 9, 1988');
    expect(text).toContain('All of them');
  });

  test('names the day of an evening as the firm has it, not as UTC has it', async () => {
    // Ten in the evening in New York, summer and winter alike within an hour.
    const start = `${addDays(today, 20)}T03:00:00.000Z`;
    const end = `${addDays(today, 20)}T04:00:00.000Z`;
    await addEvent(app, user.token, { title: 'Evening call', case: caseId, start, end });
    const { template } = await add(['{{#nextDates}}{{title}} on {{date | iso}}. {{/}}']);
    const { body } = await make({ template: template.id });
    const [made] = 'documents' in body ? body.documents : [];
    expect(await textOf(made?.url ?? '')).toContain(`Evening call on ${addDays(today, 19)}.`);
  });

  test('with gaps is a draft by its name, and says the gaps in it', async () => {
    const { template } = await add(['Born {{client.dateOfBirth}}']);
    const { body } = await make({ template: template.id, allowMissing: true });
    const [made] = 'documents' in body ? body.documents : [];
    expect(decodeURIComponent(made?.url ?? '')).toContain(`${today} DRAFT.docx`);
    expect(made?.missing).toMatchObject([{ path: 'client.dateOfBirth' }]);
    expect(await textOf(made?.url ?? '')).toContain('[Client: date of birth]');
    expect(await make({ template: template.id }, { dryRun: '1' })).toMatchObject({
      body: { names: [`${template.name} – ${today} (2) DRAFT.docx`] },
    });
  });

  test('is made for each recipient once, and never takes another’s name', async () => {
    const [one, two] = [await provider({ fax: '(518) 555-0111' }), await provider({})];
    const { template } = await add(['To {{recipient.name}}', '{{#recipient.fax}}By fax{{/}}']);
    const body = { template: template.id, for: [one.id, two.id, one.id], folder: 'Medical' };
    const names = async () => (await make(body, { dryRun: '1' })).body;
    const file = (contact: { name: string }) => `${template.name} – ${contact.name} – ${today}`;
    expect(await names()).toMatchObject({
      names: [`${file(one)}.docx`, `${file(two)}.docx`],
    });
    const { body: done } = await make(body);
    const made = 'documents' in done ? done.documents : [];
    expect(made.map((document) => document.for)).toEqual([one.id, two.id]);
    const texts = await Promise.all(made.map(({ url }) => textOf(url ?? '')));
    expect(texts[0]).toContain(`To ${one.name}`);
    expect(texts[0]).toContain('By fax');
    expect(texts[1]).not.toContain('By fax');
    expect(await names()).toMatchObject({
      names: [`${file(one)} (2).docx`, `${file(two)} (2).docx`],
    });
  });

  test('is made once for one Idempotency-Key', async () => {
    const { template } = await add(['Hello {{client.name}}']);
    const sent = {
      token: user.token,
      params: { id: caseId },
      body: { template: template.id, folder: `Once ${unique()}` },
      headers: { 'idempotency-key': randomUUID() },
    };
    const [first, again] = [
      await app.call(templateRoutes.makeDocuments, sent),
      await app.call(templateRoutes.makeDocuments, sent),
    ];
    expect(again.body).toEqual(first.body);
    const call = { token: user.token, params: { caseId } };
    const { body: library } = await app.call(fileRoutes.listFiles, call);
    expect(library.files[sent.body.folder]).toHaveLength(1);
  });

  test('has the outcome of the first request for one Idempotency-Key, whatever became of its template', async () => {
    const { template } = await add(['Hello {{client.name}}', 'Born {{client.dateOfBirth}}']);
    const send = (key: string, allowMissing: boolean) =>
      app.call(templateRoutes.makeDocuments, {
        token: user.token,
        params: { id: caseId },
        body: { template: template.id, allowMissing },
        headers: { 'idempotency-key': key },
      });
    const use = (active: boolean) =>
      app.call(templateRoutes.changeTemplate, {
        token: writer.token,
        params: { id: template.id },
        body: { active },
      });
    const [made, empty, unused] = [randomUUID(), randomUUID(), randomUUID()];
    const first = await send(made, true);
    expect(first.status).toBe(201);
    const lacking = { status: 409, message: '1 field is empty' };
    expect(await send(empty, false)).toMatchObject(lacking);
    await use(false);
    const inactive = { status: 409, message: 'This template is not active' };
    expect(await send(unused, true)).toMatchObject(inactive);
    expect(await send(made, true)).toMatchObject({ status: 201, body: first.body });
    expect(await send(empty, false)).toMatchObject(lacking);
    await use(true);
    expect(await send(unused, true)).toMatchObject(inactive);
  });

  test('is listed with its version and the hash of its data, also once its file is deleted', async () => {
    const { template } = await add(['Hello {{client.name}}']);
    const { body: done } = await make({ template: template.id });
    const [made] = 'documents' in done ? done.documents : [];
    const list = async () =>
      (
        await app.call(templateRoutes.listDocuments, {
          token: user.token,
          params: { id: caseId },
          query: { limit: 1 },
        })
      ).body;
    const first = await list();
    expect(first.documents[0]).toMatchObject({
      template: template.id,
      version: 1,
      url: made?.url,
      pdfUrl: null,
      by: { id: user.id },
      missing: [],
      for: null,
    });
    expect(first.documents[0]?.dataSha256).toMatch(/^[\da-f]{64}$/);
    expect(first.nextCursor).not.toBeNull();
    const next = await app.call(templateRoutes.listDocuments, {
      token: user.token,
      params: { id: caseId },
      query: { limit: 200, cursor: first.nextCursor ?? '' },
    });
    expect(next.body.documents).toHaveLength(first.total - 1);
    const [name = '', folder = ''] = (made?.url ?? '').split('/').toReversed();
    const params = { caseId, folder: decodeURIComponent(folder), name: decodeURIComponent(name) };
    await app.call(fileRoutes.deleteFile, { token: user.token, params });
    expect((await list()).documents[0]).toMatchObject({ template: template.id, url: null });
  });

  test('needs the matter, and recipients whom its author sees', async () => {
    const { template } = await add(['To {{recipient.name}}']);
    const hidden = await openCase(app, admin.token);
    await restrict(app, { token: admin.token, id: hidden.id, people: [admin.id] });
    const body = { template: template.id };
    const call = { token: user.token, params: { id: hidden.id }, body };
    expect((await app.call(templateRoutes.makeDocuments, call)).status).toBe(404);
    const list = { token: user.token, params: { id: hidden.id } };
    expect((await app.call(templateRoutes.listDocuments, list)).status).toBe(404);
    const parties = await app.call(contactRoutes.listContacts, {
      token: admin.token,
      query: { limit: 200 },
    });
    const ofHidden = parties.body.contacts.find(({ name }) => name === hidden.clientInfo.name);
    for (const id of [randomUUID(), 'no id', ofHidden?.id ?? ''])
      expect(await make({ ...body, for: [id] })).toMatchObject({
        status: 400,
        errors: [{ path: 'for' }],
      });
  });

  test.each([
    [{ template: 'unknown' }, 'template'],
    [{ for: Array.from({ length: 51 }, () => randomUUID()) }, 'for'],
    [{ answers: { 'client.fax': 'x' } }, 'answers.client.fax'],
    [{ answers: { 'client.dateOfBirth': 'soon' } }, 'answers.client.dateOfBirth'],
    [{ answers: { 'Which?': 'x'.repeat(20_001) } }, 'answers.Which?'],
    [{ folder: '../up' }, 'folder'],
    [{ pdf: true }, 'pdf'],
    [{ more: 1 }, 'more'],
  ])('refuses %j at %s', async (own, path) => {
    const { template } = await add(['{{client.dateOfBirth}} {{ask ‘Which?’}}']);
    expect(await make({ template: template.id, ...own })).toMatchObject({
      status: 400,
      errors: [{ path }],
    });
  });

  test('has the values of the matter as they are, whatever they look like', async () => {
    const name = `<w:p>{{client.name}}</w:p> & “Sons”`;
    const { id } = await provider({ name, address: 'One\nTwo' });
    const { template } = await add([
      'To {{recipient.name}}',
      '{{recipient.address}}',
      '{{case.type}}',
    ]);
    const { body } = await make({ template: template.id, for: [id] });
    const [made] = 'documents' in body ? body.documents : [];
    expect(await textOf(made?.url ?? '')).toContain(name);
  });
});

test('an installation without templates gets the letters that come with it, all usable', async () => {
  const { addStarters } = await import('./service.ts');
  await app.pool.query('truncate template_versions, templates, base.letters');
  await addStarters(app.context);
  await addStarters(app.context);
  const { body } = await app.call(templateRoutes.listTemplates, { token: user.token });
  expect(body.templates).toHaveLength(8);
  const usable = ({ version, versions }: Template) => version === 1 && versions[0]?.by === null;
  expect(body.templates.filter((template) => !usable(template))).toEqual([]);
});
