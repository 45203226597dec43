import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { accountRoutes, type Registration } from '@matterdesk/contract/accounts.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import {
  addContact,
  addIntake,
  newPerson,
  openCase,
  PASSWORD,
  unique,
  type SignedInPerson,
} from '../factories.ts';
import { startGoogle, type Google } from '../google.ts';
import { ADA, BEN, connect, plainMail } from '../mail.ts';
import { newPlace, startProcess, type ServerProcess } from '../process.ts';
import { PUBLIC_URL } from '../texting.ts';
import { startTwilio, type Twilio } from '../twilio.ts';
import { STALL_REPORT } from './stall-watch.ts';

/** A connected user: a session, a mailbox and a number. */
type Connected = SignedInPerson & { phoneNumber: string; mailbox: string };

/** The product as `npm start` runs it, with everything connected, and who attacks it. */
export type World = {
  server: ServerProcess;
  google: Google;
  twilio: Twilio;
  dataDir: string;
  /** File of the stall reports. */
  report: string;
  secretKey: string;
  /** Admins, who change the same rows at once. */
  pair: [Connected, Connected];
  /** An admin who sends what no page would. */
  attacker: SignedInPerson;
  /** A user who only works. */
  honest: SignedInPerson;
  /** Row ids for path parameters and members; none belongs to the honest user. */
  ids: { case: string; contact: string; intake: string; user: string };
  mailId: string;
  slug: string;
  /** Aborted when the attacks end. */
  ending: AbortSignal;
  stop: () => Promise<void>;
};

const SECRET_KEY = '5ea1'.repeat(16);
const WATCH = pathToFileURL(path.join(import.meta.dirname, 'stall-watch.ts')).href;

/** Leaves a profile of the server's main thread in this directory, to see what a stall is made of. */
const { ATTACK_PROFILE } = process.env;
const profiling = ATTACK_PROFILE
  ? ['--cpu-prof', '--cpu-prof-interval=4000', `--cpu-prof-dir=${ATTACK_PROFILE}`]
  : [];
const NUMBERS = ['+13015550110', '+13025550110'] as const;

export async function openWorld(): Promise<World> {
  const place = await newPlace();
  const base = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-attack-'));
  const report = path.join(base, 'stalls.jsonl');
  const google = await startGoogle({
    users: [ADA, BEN],
    redirectUri: `${PUBLIC_URL}/dashboard/emails`,
  });
  const twilio = await startTwilio();
  const server = startProcess({
    env: {
      ...place.env,
      ...google.env,
      ...google.pushEnv,
      ...twilio.env,
      PUBLIC_URL,
      REGISTRATION: 'open',
      SECRET_KEY,
      // Each attacker has an address of its own.
      TRUST_PROXY: '1',
      MAX_UPLOAD_MB: '2',
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: [`--import=${WATCH}`, ...profiling].join(' '),
      [STALL_REPORT]: report,
    },
  });
  await server.ready;
  twilio.webhookBase = server.url;
  return {
    ...(await settle(server, google)),
    server,
    google,
    twilio,
    dataDir: place.dataDir,
    report,
    secretKey: SECRET_KEY,
    ending: new AbortController().signal,
    async stop() {
      await server.kill();
      await Promise.all([google.close(), twilio.close()]);
      rmSync(base, { recursive: true, force: true });
      place.remove();
    },
  };
}

/** The people and rows of the attacked firm. Also loads what the server loads when it is first used. */
async function settle(server: ServerProcess, google: Google) {
  const pair: World['pair'] = [
    await connected({ server, google }, ADA.email, NUMBERS[0]),
    await connected({ server, google }, BEN.email, NUMBERS[1]),
  ];
  const [attacker, honest] = [
    await newAccount(server, { role: 'admin' }),
    await newAccount(server),
  ];
  const { token } = attacker;
  const permissions = { createCases: true, editTasks: true };
  await server.call(accountRoutes.changeUser, {
    token,
    params: { id: honest.id },
    body: { permissions },
  });
  const ids = {
    case: (await openCase(server, token)).id,
    contact: (await addContact(server, token)).id,
    intake: (await addIntake(server, token)).id,
    user: (await newAccount(server)).id,
  };
  const { id: mailId } = await google.deliver(ADA.email, plainMail());
  return { pair, attacker, honest, ids, mailId, slug: await openForm(server, token) };
}

async function connected(
  { server, google }: Pick<World, 'server' | 'google'>,
  mailbox: string,
  phoneNumber: string,
): Promise<Connected> {
  const person = await newAccount(server, { role: 'admin' });
  await connect({ app: server, google }, person, mailbox);
  const { token, email } = person;
  const bought = await server.call(messageRoutes.buyNumber, {
    token,
    body: { phoneNumber, email },
  });
  if (bought.status !== 200) throw new Error(bought.text);
  return { ...person, phoneNumber, mailbox };
}

async function openForm(server: ServerProcess, token: string): Promise<string> {
  const fields = [
    { key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' },
    { key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' },
    { key: 'story', label: 'What happened?', kind: 'paragraphs', maps: 'description' },
    { key: 'photos', label: 'Photos', kind: 'file' },
  ];
  const body = { slug: 'accidents', name: 'Accidents', type: 'PI', fields, active: true };
  const reply = await server.call(intakeFormRoutes.addForm, { token, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.form.slug;
}

/** A new account, whose client has an address of its own: only some are made from each. */
export async function newAccount(server: ServerProcess, own: Partial<Registration> = {}) {
  const person = newPerson(own);
  const headers = forwardedFor(unique());
  await server.call(accountRoutes.register, { body: person, headers });
  return newSession(server, person.email, headers);
}

export async function newSession(
  server: ServerProcess,
  email: string,
  headers = forwardedFor(unique()),
): Promise<SignedInPerson> {
  const body = { email, password: PASSWORD };
  const reply = await server.call(accountRoutes.login, { body, headers });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

/** An address of a network that belongs to no one: of one attacker, or of the whole crowd. */
export function forwardedFor(n: number): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `198.51.${100 + (Math.floor(n / 250) % 100)}.${1 + (n % 250)}` };
}
