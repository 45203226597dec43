import { setTimeout as wait } from 'node:timers/promises';
import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { answerMail, composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import type { SentMail } from '@matterdesk/server/testing/google-gmail.ts';
import type { Google } from '@matterdesk/server/testing/google.ts';
import { paintPicture } from '@matterdesk/server/testing/papers.ts';
import type { TwilioMessage } from '@matterdesk/server/testing/twilio-world.ts';
import type { Twilio } from '@matterdesk/server/testing/twilio.ts';
import { staff, type Person } from './firm.ts';
import { sampleMails } from './letters.ts';

export type MailStage = {
  google: Google;
  matters: FiledCase[];
  /** Address that serves the mails' pictures. */
  pictures: string;
  /** Milliseconds between new mails. */
  pace: number;
  signal: AbortSignal;
};

const HOUR = 3_600_000;
const IN_THE_INBOX = 24;
/** Keeps a sandbox that runs overnight readable. */
const MAX_NEW = 40;

const answers = [
  'Thank you for the quick word. That suits us; I shall confirm in writing tomorrow.',
  'Understood. Could you send me the signed copy as well?',
  'Thanks! I will ask my colleague and come back to you this week.',
];

/** Fills every mailbox with weeks of mail. */
export async function fillMailboxes(stage: MailStage): Promise<void> {
  for (const [at, person] of staff.entries()) {
    for (let index = IN_THE_INBOX; index > 0; index -= 1) {
      const date = new Date(Date.now() - index * 19 * HOUR - at * HOUR);
      const labels = index > 5 ? ['INBOX'] : ['INBOX', 'UNREAD'];
      await stage.google.deliver(
        person.email,
        await composeSample(stage, person, { date, index }),
        {
          labels,
        },
      );
    }
    for (const { raw, labels } of await ownMail(stage, person))
      await stage.google.deliver(person.email, raw, { labels });
  }
}

/** Delivers new mail from time to time, to each user in turn. */
export async function keepMailComing(stage: MailStage): Promise<void> {
  for (let index = 0; index < MAX_NEW; index += 1) {
    await wait(stage.pace, undefined, { signal: stage.signal }).catch(() => undefined);
    if (stage.signal.aborted) return;
    for (const person of staff) {
      const raw = await composeSample(stage, person, { date: new Date(), index: index + 3 });
      await stage.google.deliver(person.email, raw);
    }
  }
}

/** Outside recipients answer after a while. */
export async function replyToMail(stage: MailStage, { from, to, raw }: SentMail): Promise<void> {
  const outside = to.filter((address) => !staff.some(({ email }) => email === address));
  for (const [index, address] of outside.entries()) {
    await wait(stage.pace / 6, undefined, { signal: stage.signal }).catch(() => undefined);
    if (stage.signal.aborted) return;
    const text = answers[(index + raw.length) % answers.length] ?? '';
    await stage.google.deliver(from, await answerMail(raw, address, text));
  }
}

type SampleMoment = { date: Date; index: number };

async function composeSample(
  { matters, pictures }: MailStage,
  to: Person,
  { date, index }: SampleMoment,
) {
  const own = matters.filter(({ assignedUsers }) =>
    assignedUsers.some(({ firstName, lastName }) => `${firstName} ${lastName}` === to.name),
  );
  const matter = pick(own.length > 0 ? own : matters, index);
  return pick(sampleMails, index)({ matter, to, date, pictures });
}

async function ownMail({ matters }: MailStage, from: Person) {
  const written = async (matter: FiledCase, mail: { ago: number; subject: string; text: string }) =>
    composeMail({
      from: { name: from.name, address: from.email },
      to: { name: matter.clientInfo.name, address: matter.clientInfo.email },
      date: new Date(Date.now() - mail.ago * HOUR),
      subject: `${mail.subject} (${matter.caseNo})`,
      text: mail.text,
    });
  const sent = await Promise.all(
    matters.slice(0, 8).map((matter, index) =>
      written(matter, {
        ago: 20 + index * 31,
        subject: 'Documents that we still need',
        text: `Dear ${matter.clientInfo.name},\n\nplease send us the medical bills and the police report.\n\n${from.name}`,
      }),
    ),
  );
  const drafts = await Promise.all(
    matters.slice(8, 10).map((matter, index) =>
      written(matter, {
        ago: 2 + index,
        subject: 'Draft of our answer',
        text: 'To be finished.',
      }),
    ),
  );
  return [
    ...sent.map((raw) => ({ raw, labels: ['SENT'] })),
    ...drafts.map((raw) => ({ raw, labels: ['DRAFT'] })),
  ];
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the sample firm has no active matters');
  return item;
}

export type TextStage = {
  twilio: Twilio;
  matters: FiledCase[];
  /** Milliseconds that clients take to answer. */
  pace: number;
  signal: AbortSignal;
};

const textAnswers = [
  'Got it, thank you.',
  'OK – I can be there at 3. Where do I park?',
  'Thanks! I will send the papers tonight.',
  'Can you call me later? I am at work.',
];

/** Clients start writing as soon as the firm has a number. */
export async function greetNumber(stage: TextStage, number: string): Promise<void> {
  const clients = stage.matters.flatMap(({ clientInfo, caseName }) => {
    const from = toE164(clientInfo.phoneNumber);
    return from === undefined ? [] : [{ from, name: clientInfo.name, caseName }];
  });
  const [first, second, third] = clients;
  const body = (text: string, { name = '', caseName = '' } = {}) =>
    text.replace('NAME', name).replace('CASE', caseName);
  const bytes = await paintPicture(['Police report, page 1'], '#3b5b45');
  const media = [{ contentType: 'image/png', bytes }];
  const texts = [
    { from: first?.from, body: body('Hello, this is NAME. Is there any news on CASE?', first) },
    { from: second?.from, body: body('NAME here – I found the police report.', second), media },
    { from: third?.from, body: body('Do I have to come to the hearing? NAME', third) },
  ];
  for (const { from, ...text } of texts) {
    if (!(await passes(stage))) return;
    if (from !== undefined) await stage.twilio.receive({ from, to: number, ...text });
  }
}

/** Outside recipients answer, unless the text was not delivered. */
export async function answerText(stage: TextStage, message: TwilioMessage): Promise<void> {
  const { from, to, direction } = message;
  const isOurs = stage.twilio.numbers.some(({ phoneNumber }) => phoneNumber === to);
  if (isOurs || direction !== 'outbound-api') return;
  if (!(await passes(stage)) || message.status === 'undelivered') return;
  const body = textAnswers[stage.twilio.messages.length % textAnswers.length] ?? '';
  await stage.twilio.receive({ from: to, to: from, body });
}

/** Waits; false once the sandbox closes. */
async function passes({ pace, signal }: TextStage): Promise<boolean> {
  await wait(pace, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** `1 212 555 0123` as `+12125550123`. */
function toE164(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '');
  return /^1\d{10}$/.test(digits) ? `+${digits}` : undefined;
}
