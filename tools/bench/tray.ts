// Shows how often the first proposal for a paper is right: 300 papers of twelve kinds, in a firm of 2,100 matters.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { trayRoutes, type TrayItem } from '@matterdesk/contract/tray.ts';
import { takeScans } from '@matterdesk/server/features/tray/service.inbox.ts';
import { scannedPdf, textPdf } from '@matterdesk/server/testing/papers.ts';
import { openWorkplace, type Workplace, plantCases } from '../eval/workplace.ts';
import { reportTimes, say } from './load.ts';

const [MATTERS, OTHERS, PAPERS] = [100, 2000, 300];

type Matter = {
  id: string;
  caseNo: string;
  client: string;
  address: string;
  claim: string;
  policy: string;
  witness: string;
  dateOfBirth: string;
};

type Kind = {
  name: string;
  pages: (own: Matter, other: Matter) => string[][];
  isPicture?: true;
  /** Nothing on it says where it belongs: the right proposal is none. */
  isForNone?: true;
};

const kinds: Kind[] = [
  { name: 'notice of a court', pages: ({ caseNo }) => [['COUNTY CLERK', `Index No. ${caseNo}`]] },
  {
    name: 'scan without text',
    pages: ({ caseNo }) => [['SUPREME COURT', '', `Index No. ${caseNo}`, '', 'NOTICE OF HEARING']],
    isPicture: true,
  },
  {
    name: 'insurer, by claim',
    pages: ({ claim }) => [['MERIDIAN MUTUAL', `Re: Claim ${claim}`, 'Dated November 16, 2026']],
  },
  {
    name: 'insurer, by policy',
    pages: ({ policy }) => [['Our insured: see policy', `Policy No. ${policy.toLowerCase()}.`]],
  },
  {
    name: 'records of a patient',
    pages: ({ client, address }) => [['MERCY HOSPITAL', `Patient: ${client}, ${address}, Albany`]],
  },
  {
    name: 'report, address shortened',
    pages: ({ client, address }) => [
      [client.toUpperCase(), address.replace('Street', 'St.'), 'Albany, New York 12207'],
    ],
  },
  {
    name: 'records, by date of birth',
    pages: ({ witness, dateOfBirth }) => [
      [
        'Radiology',
        `${witness}  DOB ${dateOfBirth.slice(5, 7)}/${dateOfBirth.slice(8)}/${dateOfBirth.slice(0, 4)}`,
      ],
    ],
  },
  {
    name: 'answer that names a related case',
    pages: ({ caseNo }, other) => [
      ['SUPREME COURT', `Index No. ${caseNo}`, 'ANSWER'],
      [`This matter is related to ${other.caseNo}.`],
    ],
  },
  {
    name: 'letter that names another client',
    pages: ({ client, address }, other) => [
      [`${client}, ${address}`, `We also act in the matter of ${other.client}.`],
    ],
  },
  {
    name: 'invoice, number on page 3',
    pages: ({ caseNo }) => [
      ['Invoice 1180, $1,240.00'],
      ['Terms'],
      [`Your ref. ${caseNo.toLowerCase()}`],
    ],
  },
  {
    name: 'claim and the name of another client',
    pages: ({ claim }, other) => [[`Claim ${claim}`, `cc: ${other.client}`]],
  },
  {
    name: 'advertisement',
    pages: (_, other) => [['BREAKFAST', `With ${other.client}`, 'Call 518-555-0123 by 12/01/2026']],
    isForNone: true,
  },
];

const FIRST = ['Ngozi', 'Yusuf', 'Dana', 'Ola', 'Piet', 'Mei', 'Ruth', 'Chidi', 'Inés', 'Jonas'];
const LAST = [
  'Abara',
  'Adeyemi',
  'Whitlock',
  'Berg',
  'Voss',
  'Tanaka',
  'Stone',
  'Mensah',
  'Núñez',
  'Roth',
];

const workplace = await openWorkplace();
const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-scans-'));
try {
  await plantCases(workplace, OTHERS);
  const matters = await openMatters(workplace);
  const truth = new Map<string, { kind: Kind; id: string }>();
  for (let at = 0; at < PAPERS; at += 1) {
    const kind = kinds[at % kinds.length];
    const [own, other] = [matters[(at * 7) % MATTERS], matters[(at * 7 + 3) % MATTERS]];
    if (!kind || !own || !other) continue;
    const pages = kind.pages(own, other);
    const name = `Scan ${at}.pdf`;
    const bytes = kind.isPicture
      ? await scannedPdf(pages)
      : textPdf(pages.map((lines) => lines.map(plain)));
    await writeFile(path.join(directory, name), bytes);
    truth.set(name, { kind, id: own.id });
  }
  const { signal } = new AbortController();
  await takeScans(workplace.context, { directory, rest: () => delay(100) }, signal);
  await waitUntilRead(workplace);
  await workplace.query('vacuum (analyze)');
  await judge(workplace, truth);
  say('');
  say(`| ${PAPERS} papers, ${MATTERS + OTHERS} matters | p50, ms | p95, ms |`);
  say('| --- | --- | --- |');
  await reportTimes('first page of the tray, 25 papers with their proposals', () =>
    workplace.call(trayRoutes.listTray, { query: { limit: '25' } }),
  );
} finally {
  await workplace.close();
  await rm(directory, { recursive: true, force: true });
}

/** In Latin letters alone, as the standard fonts of a PDF have them. */
function plain(line: string): string {
  return line.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

async function openMatters({ call }: Workplace): Promise<Matter[]> {
  const matters: Matter[] = [];
  for (let n = 0; n < MATTERS; n += 1) {
    const [first = '', last = ''] = [FIRST[n % 10], LAST[Math.floor(n / 10)]];
    const matter = {
      caseNo: `2026-CV-${String(n * 37).padStart(5, '0')}`,
      client: `${first} ${last}`,
      address: `${12 + n} Elm Street`,
      claim: `0471-${88_213 + n}`,
      policy: `CA-${4_471_902 + n}`,
      witness: `${LAST[n % 10]} ${first}`,
      dateOfBirth: `19${60 + (n % 40)}-03-${String(1 + (n % 28)).padStart(2, '0')}`,
    };
    const opened = await call(caseRoutes.openCase, {
      body: {
        notFiled: true,
        caseName: `${last} v. Northline ${n}`,
        caseNo: matter.caseNo,
        type: 'PI',
        clientInfo: { name: matter.client, address: `${matter.address}, Albany` },
      },
    });
    const params = { id: opened.case.id };
    await call(streamRoutes.addEntry, {
      params,
      body: { kind: 'note', text: `Adjuster called about claim ${matter.claim}, wants the bills.` },
    });
    const contact = { kind: 'person', dateOfBirth: matter.dateOfBirth, name: matter.witness };
    const insurer = {
      kind: 'organisation',
      name: `Meridian ${n}`,
      notes: `Policy ${matter.policy}`,
    };
    for (const [role, one] of [
      ['witness', contact],
      ['insurer', insurer],
    ] as const)
      await call(contactRoutes.addParty, { params, body: { role, note: '', contact: one } });
    matters.push({ ...matter, id: opened.case.id });
  }
  return matters;
}

async function waitUntilRead({ query }: Workplace): Promise<void> {
  for (;;) {
    const { n } = await query('select count(*)::int as n from tray_items where clues is null');
    if (n === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function judge(
  { call, query }: Workplace,
  truth: ReadonlyMap<string, { kind: Kind; id: string }>,
): Promise<void> {
  const items: TrayItem[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const place: Record<string, string> = next === '' ? {} : { cursor: next };
    const { items: some, nextCursor } = await call(trayRoutes.listTray, {
      query: { limit: '100', ...place },
    });
    items.push(...some);
    next = nextCursor ?? undefined;
  }
  const judged = items.map(({ title, proposals: [first] }) => {
    const { kind, id } = truth.get(title) ?? {};
    return { name: kind?.name, isRight: first?.case.id === (kind?.isForNone ? undefined : id) };
  });
  say('| Paper | First proposal right | Of |');
  say('| --- | --- | --- |');
  for (const [name, some] of Map.groupBy(judged, (one) => one.name))
    say(`| ${name} | ${some.filter(({ isRight }) => isRight).length} | ${some.length} |`);
  say(`| all | ${judged.filter(({ isRight }) => isRight).length} | ${judged.length} |`);
  const { filed } = await query(
    `select count(*)::int as filed from tray_items where state <> 'open'`,
  );
  say(`\nFiled without a key: ${String(filed)}`);
}
