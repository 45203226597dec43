import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { trayRoutes } from '@matterdesk/contract/tray.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import {
  addContact,
  newCase,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
  unique,
  restrict,
} from '../../testing/factories.ts';
import { scannedPdf, textPdf } from '../../testing/papers.ts';
import { sendFile } from '../../testing/uploads.ts';

const { app, admin, sorter, ama } = suite({
  admin: registerAdmin,
  sorter: (to) => registerWith(to, { sortPapers: true }),
  ama: registerUser,
});

// Each test has the tray to itself.
beforeEach(async () => {
  await app.pool.query(`delete from tray_items`);
});

type Person = Pick<SignedInPerson, 'token'>;

/** Milliseconds; reading yields to everything else on a busy machine. */
const WAIT_TIMEOUT_MS = 300_000;
vi.setConfig({ testTimeout: 2 * WAIT_TIMEOUT_MS });

/** Sends a paper, and waits until it was read. */
async function send({ token }: Person, bytes: Buffer, name = 'Letter.pdf') {
  const reply = await sendFile(app, { token, caseId: '', folder: '' }, { name, bytes });
  expect(reply.status).toBe(201);
  const read = async () => {
    const { rows } = await app.pool.query(`select from tray_items where clues is null`);
    expect(rows).toHaveLength(0);
  };
  await vi.waitFor(read, { timeout: WAIT_TIMEOUT_MS, interval: 20 });
}

async function listed({ token }: Person) {
  const { body } = await app.call(trayRoutes.listTray, { token });
  return body.items;
}

const proposals = async (person: Person) =>
  (await listed(person)).flatMap((item) =>
    item.proposals.map(({ case: { caseName }, reason }) => [caseName, reason]),
  );

async function note(caseId: string, text: string): Promise<void> {
  const reply = await app.call(streamRoutes.addEntry, {
    token: admin.token,
    params: { id: caseId },
    body: { kind: 'note', text },
  });
  expect(reply.status).toBe(201);
}

async function addWitness(caseId: string, own: Parameters<typeof addContact>[2]) {
  const contact = await addContact(app, admin.token, own);
  const reply = await app.call(contactRoutes.addParty, {
    token: admin.token,
    params: { id: caseId },
    body: { role: 'witness', contactId: contact.id, note: '' },
  });
  expect(reply.status).toBe(201);
  return contact;
}

describe('a paper proposes a matter', () => {
  test('by the number of the case, on whichever of its first pages that is', async () => {
    const n = unique();
    const { caseName } = await openCase(app, admin.token, { caseNo: `2026-CV-${n}` });
    await send(ama, textPdf([['Cover'], [`Supreme Court, Albany County, 2026-cv-${n}.`]]));
    expect(await listed(ama)).toMatchObject([{ pages: 2, excerpt: 'Cover' }]);
    expect(await proposals(ama)).toEqual([[caseName, `Case No 2026-CV-${n} on page 2`]]);
    // Only whole words, and only the first five pages.
    await send(sorter, textPdf([[`2026-CV-${n}7 and X2026-CV-${n}`]]));
    await send(sorter, textPdf([...Array.from({ length: 5 }, () => ['-']), [`2026-CV-${n}`]]));
    expect((await listed(sorter)).map((item) => item.proposals.length)).toEqual([1, 0, 0]);
    expect((await listed(sorter))[2]).toMatchObject({ pages: 6 });
  });

  test('by a claim number in the notes of a matter, or with a contact', async () => {
    const n = unique();
    const noted = await openCase(app, admin.token);
    const kept = await openCase(app, admin.token);
    await note(noted.id, `Adjuster called about claim 0471-${n}88, ext. 4`);
    const { name } = await addWitness(kept.id, { notes: `Policy ca-44719${n}` });
    await send(ama, textPdf([[`Re: Claim 0471-${n}88, Policy No. CA-44719${n}, 11/16/2026`]]));
    expect(await proposals(ama)).toEqual([
      [kept.caseName, `Policy CA-44719${n} is with ${name}`],
      [noted.caseName, `Claim 0471-${n}88 is in this matter's notes`],
    ]);
  });

  test('by a name with its address or its day of birth, and not by a name alone', async () => {
    const n = unique();
    const { id, caseName } = await openCase(app, admin.token);
    const name = `Yusuf Adéyemi Q${n}`;
    await addWitness(id, { name, address: '12 Elm Street, Albany', dateOfBirth: '1984-03-02' });
    await send(ama, textPdf([[`YUSUF ADEYEMI Q${n} of Albany`]]));
    expect(await proposals(ama)).toEqual([]);
    await send(ama, textPdf([[`Yusuf Adeyemi Q${n}, 12 Elm St., Albany`]]));
    await send(ama, textPdf([[`Yusuf Adeyemi Q${n}, born March 2, 1984`]]));
    expect(await proposals(ama)).toEqual([
      [caseName, `${name}, 12 Elm Street, is a witness`],
      [caseName, `${name}, born Mar 2, 1984, is a witness`],
    ]);
  });

  test('with every reason in one proposal, and at most three matters, in the paper’s order', async () => {
    const n = unique();
    const cases = [];
    for (let at = 0; at < 4; at += 1)
      cases.push(await openCase(app, admin.token, { caseNo: `2026-CV-${n}${at}` }));
    await note(cases[0]?.id ?? '', `Claim 88-${n}123`);
    const numbers = cases.map(({ caseNo }) => caseNo).join(' and ');
    await send(ama, textPdf([[numbers, `Claim 88-${n}123`]]));
    const found = await proposals(ama);
    // As the paper names them.
    expect(found.map(([caseName]) => caseName)).toEqual(
      cases.slice(0, 3).map(({ caseName }) => caseName),
    );
    await send(sorter, textPdf([[cases[0]?.caseNo ?? '', `Claim 88-${n}123`]]));
    expect((await proposals(sorter)).at(-1)).toEqual([
      cases[0]?.caseName,
      `Case No 2026-CV-${n}0 on page 1\nClaim 88-${n}123 is in this matter's notes`,
    ]);
  });

  test('only to those who see the matter, who are told what it alone says', async () => {
    const n = unique();
    const { clientInfo } = newCase();
    const name = `Ola Berg W${n}`;
    const client = { ...clientInfo, name, address: '9 Fjord Road\nAlbany' };
    const own = { caseNo: `2026-CV-${n}`, clientInfo: client };
    const { id, caseName, caseNo } = await openCase(app, admin.token, own);
    await note(id, `Claim 77-${n}123`);
    await send(ama, textPdf([[`${caseNo} Claim 77-${n}123`, `${name}, 9 Fjord Road`]]));
    const reasons = [
      `Case No ${caseNo} on page 1`,
      `Claim 77-${n}123 is in this matter's notes`,
      `${name}, 9 Fjord Road, is the client`,
    ];
    const all = [[caseName, reasons.join('\n')]];
    expect([await proposals(ama), await proposals(sorter)]).toEqual([all, all]);
    await restrict(app, { token: admin.token, id, people: [admin.id] });
    expect([await proposals(ama), await proposals(sorter)]).toEqual([[], []]);
    expect(await proposals(admin)).toEqual(all);
  });
});

describe('a paper is read for clues', () => {
  test('also where it is a scan without text, and says so to its readers', async () => {
    const n = unique();
    const { caseName } = await openCase(app, admin.token, { caseNo: `2026-CV-${n}` });
    const socket = await app.socket(sorter.token);
    const received = nextEvent(socket, 'tray.changed');
    await send(ama, await scannedPdf([['Supreme Court', `Index No. 2026-CV-${n}`]]));
    await received;
    expect(await proposals(ama)).toEqual([[caseName, `Case No 2026-CV-${n} on page 1`]]);
  });

  test.each(['locked.pdf', 'bomb.pdf', 'cut-off.pdf', 'twilio-api.json'])(
    'and %s can be filed without any',
    async (name) => {
      const { id } = await openCase(app, admin.token);
      const bytes = await readFile(new URL(`../../testing/documents/${name}`, import.meta.url));
      await send(ama, bytes, name);
      const [item] = await listed(ama);
      expect(item).toMatchObject({ title: name, proposals: [] });
      const filed = await app.call(trayRoutes.fileItem, {
        token: ama.token,
        params: { id: item?.id ?? '' },
        body: { case: id },
      });
      expect(filed.status).toBe(200);
    },
  );
});
