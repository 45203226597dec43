// Shows how long letters take: fifty of them, a long table, and the memory of the confined process.

import { readdir, readFile } from 'node:fs/promises';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { templateRoutes } from '@matterdesk/contract/templates.ts';
import { addStarters } from '@matterdesk/server/features/templates/service.ts';
import { fillTemplate } from '@matterdesk/server/integrations/templates/assemble.ts';
import { writeWord } from '@matterdesk/server/integrations/templates/word-file.ts';
import { newContact } from '@matterdesk/server/testing/factories.ts';
import { openWorkplace } from '../eval/workplace.ts';
import { say } from './load.ts';

const [LETTERS, ROWS] = [50, 2000];
/** Milliseconds between two looks at the memory. */
const LOOK = 20;
const MEBIBYTE = 1024 * 1024;

const workplace = await openWorkplace();
try {
  await addStarters(workplace.context);
  const { templates } = await workplace.call(templateRoutes.listTemplates);
  const template = templates.find(({ name }) => name === 'Records request')?.id ?? '';
  const ids: string[] = [];
  for (let n = 0; n < LETTERS; n += 1) {
    const body = newContact({ name: `Clinic ${n}`, address: `${n} Main Street` });
    ids.push((await workplace.call(contactRoutes.addContact, { body })).contact.id);
  }
  say('| letters | seconds | most memory, MB |');
  say('| --- | --- | --- |');
  await measure(`${LETTERS} letters, each for a recipient, made and stored`, async () => {
    const body = { template, for: ids, allowMissing: true };
    const reply = await workplace.call(templateRoutes.makeDocuments, {
      params: { id: workplace.caseId },
      body,
    });
    const made = 'documents' in reply ? reply.documents : [];
    if (made.some(({ url }) => url === null)) throw new Error('a letter failed');
  });
  await measure(`a table of ${ROWS.toLocaleString('en-US')} rows`, fillTable);
} finally {
  await workplace.close();
}

async function fillTable() {
  const name = { path: 'name', label: 'name', kind: 'text' } as const;
  const catalog = [{ path: 'people', label: 'People', kind: 'list', items: [name] } as const];
  const people = Array.from({ length: ROWS }, (_, n) => ({ name: `Person ${n}` }));
  const [filled] = await fillTemplate({
    bytes: writeWord([{ table: [['{{#people}}{{name}}', '{{name}}{{/}}']] }]),
    catalog,
    data: { people },
    answers: {},
    runs: [{}],
    isWhole: true,
    signal: new AbortController().signal,
  });
  if (!filled || 'error' in filled) throw new Error(filled?.error);
}

async function measure(name: string, work: () => Promise<void>): Promise<void> {
  let most = 0;
  const timer = setInterval(
    () => void memory().then((bytes) => (most = Math.max(most, bytes))),
    LOOK,
  );
  const begun = performance.now();
  await work();
  clearInterval(timer);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  // A process that ended between two looks was not seen.
  const seen = most === 0 ? '' : Math.round(most / MEBIBYTE);
  say(`| ${name} | ${seconds} | ${seen} |`);
}

/** Resident bytes of the largest confined process. */
async function memory(): Promise<number> {
  let most = 0;
  for (const pid of await readdir('/proc')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!line.includes('integrations/templates/child.ts')) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
  }
  return most;
}
