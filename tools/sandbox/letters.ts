import type { FiledCase } from '@matterdesk/contract/cases.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { composeMail } from '@matterdesk/server/testing/compose-mail.ts';
import { textPdf, paintPicture } from '@matterdesk/server/testing/papers.ts';
import { toWorkday } from '../seed/matters.ts';
import type { Person } from './firm.ts';

/** A mail to a user of the firm about a matter. */
export type Occasion = {
  matter: FiledCase;
  to: Person;
  date: Date;
  /** Address on this machine that serves the mail's pictures. */
  pictures: string;
};

type SampleMail = (occasion: Occasion) => Promise<Buffer>;

/** One mail in each common format. */
export const sampleMails: SampleMail[] = [
  question,
  proposal,
  notice,
  photographs,
  oldEncoding,
  forwarded,
  invitation,
  newsletter,
];

function question({ matter, to, date }: Occasion) {
  const { name, email } = matter.clientInfo;
  return composeMail({
    from: { name, address: email },
    to: addressed(to),
    date,
    subject: `Any news on ${matter.caseName}?`,
    text: [
      `Dear ${to.name},`,
      `I wanted to ask where we stand with ${matter.caseName} (${matter.caseNo}). Last time you said that the other side would answer within three weeks.`,
      'Also, my doctor’s office (Praxis Dr. Jürgen Müßigbrodt) moved; their new address is Königstraße 5, 70173 Stuttgart.',
      `Kind regards\n${name}`,
    ].join('\n\n'),
  });
}

async function proposal({ matter, to, date }: Occasion) {
  const { name, email, organization } = matter.opposingCounselInfo;
  const pdf = textPdf([
    [
      'SETTLEMENT PROPOSAL',
      '',
      `Re: ${ascii(matter.caseName)}, ${matter.caseNo}`,
      '',
      'Without prejudice. For settlement purposes only.',
      '1. Our client offers $85,000 in full satisfaction of all claims.',
      '2. The offer stands for thirty days from the date of this letter.',
      '3. Each party bears its own costs.',
    ],
  ]);
  return composeMail({
    from: { name: `${name} (${organization})`, address: email },
    to: addressed(to),
    cc: `paralegals@${email.split('@')[1]}`,
    date,
    subject: `${matter.caseNo} – settlement proposal`,
    text: `Counsel,\n\nplease find our proposal attached. We look forward to your answer within thirty days.\n\n${name}\n${organization}`,
    html: `<p>Counsel,</p><p>please find our proposal <b>attached</b>. We look forward to your answer within <u>thirty days</u>.</p><p>${name}<br>${organization}</p>`,
    attachments: [{ filename: 'Settlement proposal – Vorschlag Nº 1.pdf', content: pdf }],
  });
}

async function notice({ matter, to, date, pictures }: Occasion) {
  const hearing = inWords(daysAfter(date, 21));
  const row = (label: string, value: string) =>
    `<tr><th align="left" style="padding:4px 16px 4px 0">${label}</th><td>${value}</td></tr>`;
  return composeMail({
    from: { name: 'Clerk of the Court', address: 'efiling@court.example' },
    to: addressed(to),
    date,
    subject: `NOTICE OF HEARING: ${matter.caseNo}`,
    text: `Notice of hearing in ${matter.caseName} (${matter.caseNo}): ${hearing}, 9:30 a.m., before ${matter.judge}.`,
    html: `<html><head><style>body { font-family: Georgia } th { color: #555 }</style></head><body>
      <img src="${pictures}/seal.png" width="320" alt="Seal of the court">
      <h2>Notice of hearing</h2><table>${row('Matter', matter.caseName)}${row('Index No.', matter.caseNo)}${row('Judge', matter.judge)}${row('Date', `${hearing}, 9:30 a.m.`)}</table>
      <p>Appearance is mandatory. <a href="https://court.example/calendar">View the calendar</a></p>
      <img src="${pictures}/opened.png?who=${encodeURIComponent(to.email)}" width="1" height="1" alt=""></body></html>`,
  });
}

async function photographs({ matter, to, date }: Occasion) {
  const { name, email } = matter.clientInfo;
  const content = await paintPicture(['Intersection, looking north', matter.DOI], '#6b5231');
  return composeMail({
    from: { name, address: email },
    to: addressed(to),
    date,
    subject: 'Photographs of the scene',
    text: 'The picture is in this mail; the invoice of the garage is attached.',
    html: '<p>This is where it happened:</p><p><img src="cid:scene@home" alt="The scene"></p><p>The invoice of the garage is attached.</p>',
    attachments: [
      { filename: 'scene.png', content, cid: 'scene@home' },
      { filename: 'Invoice.pdf', content: textPdf([['Invoice 2291', 'Repair: $4,310.00']]) },
    ],
  });
}

/** Legacy encoding: 8-bit windows-1252, in the sender's name too. */
async function oldEncoding({ matter, to, date }: Occasion) {
  const lines = [
    'From: =?windows-1252?Q?B=FCro_Dr=2E_Sch=E4fer?= <buero@schaefer.example>',
    `To: ${to.email}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Subject: =?windows-1252?Q?R=FCckfrage_zum_Gutachten?= (${matter.caseNo})`,
    `Message-ID: <${date.getTime()}.${to.email}.gutachten@schaefer.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=windows-1252',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Sehr geehrte Kollegin, sehr geehrter Kollege,',
    '',
    'f\xfcr das Gutachten ben\xf6tigen wir noch die R\xf6ntgenbilder \x96 Kosten: 1.250 \x80.',
    '',
    'Mit freundlichen Gr\xfc\xdfen',
    '\x84Dr. Sch\xe4fer\x93',
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

async function forwarded(occasion: Occasion) {
  const { matter, to, date } = occasion;
  const { name, email } = matter.clientInfo;
  return composeMail({
    from: { name, address: email },
    to: addressed(to),
    date,
    subject: 'Fwd: what they wrote to me',
    text: 'They wrote to me directly. Are they allowed to? The whole mail is attached.',
    attachments: [
      {
        filename: 'what they wrote.eml',
        contentType: 'message/rfc822',
        content: await proposal({ ...occasion, to: { name, email } }),
      },
    ],
  });
}

async function invitation({ matter, to, date }: Occasion) {
  const { name, email } = matter.opposingCounselInfo;
  const day = daysAfter(date, 9);
  const stamp = (hours: number) =>
    `${day.toISOString().slice(0, 10).replaceAll('-', '')}T${hours}0000Z`;
  const content = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Counsel//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${matter.id}@counsel`,
    `DTSTAMP:${stamp(10)}`,
    `DTSTART:${stamp(15)}`,
    `DTEND:${stamp(16)}`,
    `SUMMARY:Meet and confer: ${matter.caseName}`,
    `ORGANIZER;CN=${name}:mailto:${email}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  return composeMail({
    from: { name, address: email },
    to: addressed(to),
    date,
    subject: `Invitation: meet and confer, ${matter.caseName}`,
    text: `Please accept for ${inWords(day)}.`,
    icalEvent: { method: 'REQUEST', filename: 'invite.ics', content },
  });
}

async function newsletter({ to, date, pictures }: Occasion) {
  return composeMail({
    from: { name: 'Bar Weekly', address: 'news@barweekly.example' },
    to: addressed(to),
    date,
    subject: 'This week: discovery deadlines, remote depositions & a quiz',
    list: { unsubscribe: 'https://barweekly.example/unsubscribe' },
    html: `<table width="100%" bgcolor="#eeeeee"><tr><td align="center"><table width="560" bgcolor="#ffffff"><tr><td>
      <img src="${pictures}/header.png" width="560" alt="Bar Weekly"><h1>Discovery deadlines</h1>
      <p>Five things that courts no longer forgive.</p><a href="https://barweekly.example/1">Read on</a>
      <script>document.title = 'You should not see this';</script></td></tr></table></td></tr></table>`,
  });
}

function daysAfter(date: Date, days: number): Date {
  return toWorkday(new Date(date.getTime() + days * 86_400_000));
}

function inWords(day: Date): string {
  return day.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
}

function addressed({ name, email }: Person) {
  return { name, address: email };
}

/** Printable ASCII alone, as a standard font of a PDF has it. */
export function ascii(text: string) {
  return normalized(text, 'NFD').replaceAll(/[^ -~]/g, '');
}
