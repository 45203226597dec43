import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { SentMail } from '@matterdesk/server/testing/google-gmail.ts';
import type { Google } from '@matterdesk/server/testing/google.ts';
import { answerMail, composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import { staff, type Person } from './firm.ts';
import { letters } from './letters.ts';

export type MailStage = {
  google: Google;
  matters: Case[];
  /** Where the mails' pictures are served. */
  pictures: string;
  /** Milliseconds between new mails. */
  pace: number;
  signal: AbortSignal;
};

const HOUR = 3_600_000;
const IN_THE_INBOX = 24;
/** Keeps a sandbox that runs overnight readable. */
const MOST_NEW = 40;

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
      await stage.google.deliver(person.email, await newLetter(stage, person, { date, index }), {
        labels,
      });
    }
    for (const { raw, labels } of await ownMail(stage, person))
      await stage.google.deliver(person.email, raw, { labels });
  }
}

/** Delivers new mail from time to time, to each user in turn. */
export async function keepMailComing(stage: MailStage): Promise<void> {
  for (let index = 0; index < MOST_NEW; index += 1) {
    await wait(stage.pace, undefined, { signal: stage.signal }).catch(() => undefined);
    if (stage.signal.aborted) return;
    for (const person of staff) {
      const raw = await newLetter(stage, person, { date: new Date(), index: index + 3 });
      await stage.google.deliver(person.email, raw);
    }
  }
}

/** Outside recipients answer after a while. */
export async function answerLetters(stage: MailStage, { from, to, raw }: SentMail): Promise<void> {
  const outside = to.filter((address) => !staff.some(({ email }) => email === address));
  for (const [index, address] of outside.entries()) {
    await wait(stage.pace / 6, undefined, { signal: stage.signal }).catch(() => undefined);
    if (stage.signal.aborted) return;
    const text = answers[(index + raw.length) % answers.length] ?? '';
    await stage.google.deliver(from, await answerMail(raw, address, text));
  }
}

type When = { date: Date; index: number };

async function newLetter({ matters, pictures }: MailStage, to: Person, { date, index }: When) {
  const own = matters.filter(({ assignedUsers }) =>
    assignedUsers.some(({ firstName, lastName }) => `${firstName} ${lastName}` === to.name),
  );
  const matter = pick(own.length > 0 ? own : matters, index);
  return pick(letters, index)({ matter, to, date, pictures });
}

async function ownMail({ matters }: MailStage, from: Person) {
  const written = async (matter: Case, mail: { ago: number; subject: string; text: string }) =>
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
