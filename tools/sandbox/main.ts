import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, say } from '@matterdesk/server/operations/command.ts';
import { startGoogle, type Google } from '@matterdesk/server/testing/google.ts';
import { paintPicture } from '@matterdesk/server/testing/papers.ts';
import { startStandIn, type StandIn } from '@matterdesk/server/testing/stand-in.ts';
import { startTwilio, type Twilio } from '@matterdesk/server/testing/twilio.ts';
import { startMatterdesk, type Matterdesk } from '../e2e/support/matterdesk.ts';
import {
  replyToMail,
  fillMailboxes,
  keepMailComing,
  type MailStage,
  answerText,
  greetNumber,
  type TextStage,
} from './directors.ts';
import { fillDocket } from './docket.ts';
import { PASSWORD, readMatters, seedFirm, staff } from './firm.ts';
import { fillInquiries, keepInquiriesComing, type InquiryStage } from './inquiries.ts';
import { fillLibrary, scanMail } from './library.ts';
import { fillStreams } from './notes.ts';

const PORT = 3000;
const PACE = 45;

/** `--pace`: seconds between simulated events. */
function readPace(args: string[]): number {
  const usage = 'npm run demo takes --pace <seconds>';
  try {
    const { values } = parseArgs({ args, options: { pace: { type: 'string' } } });
    const seconds = Number(values.pace ?? PACE);
    if (seconds > 0 && seconds < 86_400) return seconds * 1000;
  } catch {
    // Usage is printed below.
  }
  throw new CommandError(usage);
}

/** A temporary directory, unless DEMO_DIR names one to keep. */
async function openDirectory() {
  const kept = process.env['DEMO_DIR'];
  const dataDir = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'matterdesk-sandbox-'));
  const forget = async () => {
    if (kept) return;
    // Under load the database may still write after the product has ended.
    for (const directory of [dataDir, inboxOf(dataDir)])
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  };
  return { dataDir, forget };
}

/** The folder of the office's scanner. */
function inboxOf(dataDir: string) {
  return `${dataDir}-scans`;
}

type SandboxOptions = {
  dataDir: string;
  port: number;
  signal: AbortSignal;
  /** Milliseconds between simulated events. */
  pace: number;
};

type StandIns = { google: Google; twilio: Twilio; pictures: StandIn };

/** Never the caller's variables: no data of a real firm gets in or out. */
const UNSET =
  `HOST PUBLIC_URL ALLOWED_HOSTS TRUST_PROXY SMTP_URL MAIL_FROM DATABASE_URL DATABASE_PREPARED SECRET_KEY REGISTRATION AI_URL MAX_UPLOAD_MB MAX_STORAGE_GB
  S3_ENDPOINT S3_BUCKET S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY
  OPENAI_BASE_URL OPENAI_API_KEY CHAT_MODEL EMBEDDING_MODEL`.split(/\s+/);
const ACCOUNT = { accountSid: `AC${'5a'.repeat(16)}`, authToken: 'sandbox' };

/** Runs the sandbox until it is closed, and leaves no process behind. */
async function openSandbox(options: SandboxOptions): Promise<void> {
  const { dataDir, port, signal, pace } = options;
  const directors = { mail: ignore, text: ignore, number: ignore };
  const cast = await startStandIns(dataDir, directors);
  const undo = [cast.google, cast.twilio, cast.pictures].map((one) => () => one.close());
  const own = { SANDBOX: '1', INBOX_DIR: inboxOf(dataDir) };
  await mkdir(own.INBOX_DIR, { recursive: true });
  const env = { ...unsetVariables(), ...cast.google.env, ...cast.twilio.env, ...own };
  try {
    const isNew = !existsSync(join(dataDir, 'postgres'));
    if (isNew) {
      say('Making a sample firm …');
      await seedFirm({ dataDir, env, signal });
    }
    if (signal.aborted) return;
    say('Starting Matterdesk …');
    const matterdesk = await startMatterdesk({ env, dataDir, port });
    undo.push(() => matterdesk.stop());
    await runEvents({ matterdesk, cast, directors, signal, pace, isNew });
    welcome(port);
    await Promise.race([matterdesk.ended, aborted(signal)]);
    if (!signal.aborted) throw new CommandError(`Matterdesk ended: ${matterdesk.output()}`);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

type Listener<Item> = (item: Item) => void;
type Directors = {
  mail: Listener<Parameters<typeof replyToMail>[1]>;
  text: Listener<Parameters<typeof answerText>[1]>;
  number: Listener<string>;
};

function ignore() {
  return undefined;
}

async function startStandIns(dataDir: string, directors: Directors): Promise<StandIns> {
  const ledger = join(dataDir, 'sandbox-numbers.json');
  const numbers = existsSync(ledger)
    ? (JSON.parse(readFileSync(ledger, 'utf8')) as { phoneNumber: string; smsUrl: string }[])
    : [];
  const twilio = await startTwilio({
    ...ACCOUNT,
    numbers,
    pace: 900,
    onMessage: (message) => directors.text(message),
    onBuy: ({ phoneNumber }) => {
      const owned = twilio.numbers.map(({ phoneNumber, smsUrl }) => ({ phoneNumber, smsUrl }));
      writeFileSync(ledger, JSON.stringify(owned));
      directors.number(phoneNumber);
    },
  });
  const google = await startGoogle({ users: staff, onSend: (sent) => directors.mail(sent) });
  const picture = await paintPicture(['Loaded from outside']);
  const pictures = await startStandIn({
    journal: ignore,
    answer: () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: picture }),
    fail: () => ({}),
  });
  return { google, twilio, pictures };
}

type PlayContext = {
  matterdesk: Matterdesk;
  cast: StandIns;
  directors: Directors;
  signal: AbortSignal;
  pace: number;
  /** Whether the firm has been made by this start. */
  isNew: boolean;
};

async function runEvents(stage: PlayContext): Promise<void> {
  const { matterdesk, cast, directors, signal, pace, isNew } = stage;
  const { google, twilio, pictures } = cast;
  const { url, dataDir } = matterdesk;
  const matters = await readMatters(url);
  twilio.webhookBase = url;
  const inquiries: InquiryStage = { url, dataDir, matters, twilio, pace, signal };
  if (isNew) {
    await fillDocket(url, matters);
    await fillLibrary(url, matters);
    await fillStreams(url, matters);
    await fillInquiries(inquiries);
    await scanMail(inboxOf(dataDir), matters);
  }
  const mail: MailStage = { google, matters, pictures: pictures.url, pace, signal };
  const text: TextStage = { twilio, matters, pace: pace / 9, signal };
  await fillMailboxes(mail);
  directors.mail = (sent) => void replyToMail(mail, sent);
  directors.text = (message) => void answerText(text, message);
  directors.number = (number) => void greetNumber(text, number);
  void keepMailComing(mail);
  void keepInquiriesComing(inquiries);
}

function welcome(port: number) {
  const [admin, user] = staff;
  say(`The sandbox is ready at http://localhost:${port}`);
  say(`Sign in as ${admin?.email} (admin) or ${user?.email} (user) with the password ${PASSWORD}`);
  say(
    'Connect Google under Emails and enable texts under Messages: both are played on this machine,',
  );
  say(
    'nothing leaves it. Mail and inquiries come in by themselves, and whom you write to answers.',
  );
  say('Ctrl+C closes it.');
}

function unsetVariables(): Record<string, string> {
  return Object.fromEntries(UNSET.map((name) => [name, '']));
}

function aborted(signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

await runCommand(async (args) => {
  const pace = readPace(args);
  const port = Number(process.env['PORT'] || PORT);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort());
  const { dataDir, forget } = await openDirectory();
  try {
    await openSandbox({ dataDir, port, pace, signal: ending.signal });
    say('The sandbox is closed.');
  } finally {
    await forget();
  }
});
