// Letters that come with the product. They are ours, of no court and no vendor, and firms change them as they like.

import type { CaseType } from '@matterdesk/contract/cases.ts';
import type { Block } from '../../integrations/templates/word-file.ts';

/** A letter as the blocks of a Word file. */
type Letter = { name: string; types: readonly CaseType[]; blocks: readonly Block[] };

const text = (...lines: string[]): Block[] => lines.map((line) => ({ text: line }));
const numbered = (...lines: string[]): Block[] =>
  lines.map((line) => ({ text: line, marker: 'number' }));
const bold = (line: string): Block => ({ text: line, bold: true });

/** The firm, the day, and to whom. */
const head: Block[] = [
  { text: '{{firm.name}}', align: 'center', bold: true, size: 32 },
  { text: '{{#firm.letterhead}}', align: 'center' },
  { text: '{{firm.letterhead}}', align: 'center' },
  { text: '{{/}}', align: 'center' },
  { text: '{{firm.address}}', align: 'center' },
  { text: '{{#firm.phone}}{{firm.phone}}{{/}}', align: 'center', rule: true },
  { text: '{{today}}' },
];
const toRecipient: Block[] = text(
  '{{recipient.name}}',
  '{{#recipient.organisation}}',
  '{{recipient.organisation}}',
  '{{/}}',
  '{{recipient.address}}',
  '{{#recipient.fax}}',
  'By fax to {{recipient.fax}}',
  '{{/}}',
);
const toClient: Block[] = text('{{client.name}}', '{{client.address}}');
const close: Block[] = text('Sincerely,', '', '{{me.name}}', '{{firm.name}}', '{{me.email}}');
const salute = (who: 'recipient' | 'client'): Block[] =>
  text(
    `{{#${who}.salutation}}`,
    `{{${who}.salutation}}:`,
    '{{/}}',
    `{{^${who}.salutation}}`,
    who === 'client' ? 'Dear {{client.letterName}}:' : 'To whom it may concern:',
    '{{/}}',
  );

export const letters: readonly Letter[] = [
  {
    name: 'Engagement letter',
    types: [],
    blocks: [
      ...head,
      ...toClient,
      bold('Re: {{case.caseName}}'),
      ...salute('client'),
      ...text(
        'Thank you for asking {{firm.name}} to represent you. This letter says what we will do for you, what we ask of you, and what our work will cost.',
      ),
      bold('What we will do'),
      ...text(
        '{{ask ‘What does the firm do for the client?’}}',
        '{{case.managingAttorney}} is responsible for your matter. You may call or write to us at any time.',
      ),
      bold('What it will cost'),
      ...text('{{ask ‘What are the fee and the costs?’}}'),
      bold('What we ask of you'),
      ...numbered(
        'Tell us the whole truth, even if you think it hurts your case.',
        'Keep every paper, picture and message that has to do with it, and send us copies.',
        'Discuss your case only with us, and do not post about it online.',
        'Tell us at once when your address, your telephone number or your health changes.',
      ),
      ...text(
        '{{#case.SOL}}',
        'The law limits the time in which a claim can be brought. Based on what we know today, your claim must be filed by {{case.SOL}}. We can meet that deadline only if you return this letter promptly.',
        '{{/}}',
        'Please read this letter carefully and ask whatever is unclear. If you agree, sign one copy and send it back. Our representation begins when we receive it.',
      ),
      ...close,
      ...text(
        '',
        'I have read this letter and agree to it.',
        '',
        '______________________________',
        '{{client.name}}',
        'Date: ____________________',
      ),
    ],
  },
  {
    name: 'Representation letter to insurer',
    types: ['PI'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{client.name}}, claim number {{ask ‘What is the claim number?’}}'),
      bold('Date of injury: {{case.DOI}}'),
      ...salute('recipient'),
      ...text(
        'We represent {{client.name}}, who was injured on {{case.DOI}}. From now on please send everything that concerns this claim to us, and contact our client only through us.',
        'Please send us within thirty days:',
      ),
      ...numbered(
        'the name of everyone whom your policies cover, and the limits of each policy, including excess and umbrella policies;',
        'certified copies of those policies with their declarations;',
        'every statement, written or recorded, that you took from our client;',
        'photographs, estimates and reports of the damage;',
        'whether you accept that your insured is liable, and if not, why.',
      ),
      ...text(
        'Please keep everything that may be evidence. Nothing in this letter waives any of our client’s rights.',
      ),
      ...close,
    ],
  },
  {
    name: 'Preservation of evidence',
    types: ['PI', 'Civil'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{case.caseName}}{{#case.DOI}}, {{case.DOI}}{{/}}'),
      ...salute('recipient'),
      ...text(
        'We represent {{client.name}}. You have, or control, things and records that are evidence in this matter. You must keep them as they are until it has ended, whatever your usual rules for deleting say.',
        'This is about, in particular:',
        '{{ask ‘What must be kept?’}}',
        'It includes electronic records in the form in which they are kept, with their dates and authors: emails, text messages, video, location and engine data, maintenance and driver records, and their backups.',
        'Please suspend automatic deletion today, tell everyone who may have such records, and do not repair, sell or destroy anything before we have inspected it.',
        'Please confirm by {{ask ‘By when should they confirm?’}} that you have done this, and tell us what no longer exists.',
      ),
      ...close,
    ],
  },
  {
    name: 'Records request',
    types: ['PI', 'Med-Mal'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{client.name}}, born {{client.dateOfBirth}}'),
      { text: 'Date of injury: {{case.DOI}}', bold: true, indent: 1 },
      ...text(
        'To the custodian of records:',
        'We represent {{client.letterName}}. Please send complete copies of the records from {{ask ‘Which dates?’}}, including:',
      ),
      ...numbered(
        'emergency department and admission notes;',
        'operative reports and imaging with the films;',
        'itemized bills with all payments and liens.',
      ),
      ...text(
        'A HIPAA authorization signed by {{client.letterName}}, born {{client.dateOfBirth}}, is enclosed. Please certify the records and send them within thirty days. If you need payment first, call us before you begin.',
      ),
      ...close,
    ],
  },
  {
    name: 'Bill request',
    types: ['PI', 'Med-Mal'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{client.name}}, born {{client.dateOfBirth}}'),
      ...text(
        'To the billing department:',
        'We represent {{client.letterName}}, who was injured on {{case.DOI}}. Please send us for all treatment since that day:',
      ),
      ...numbered(
        'an itemized statement with dates, procedure and diagnosis codes (UB-04 or CMS-1500);',
        'every payment and adjustment, and who made it;',
        'the balance that is owed, and any lien that you claim.',
      ),
      ...text(
        'A HIPAA authorization is enclosed. Please do not send this account to collections while the claim is open, and tell us if it has already been sent.',
      ),
      ...close,
    ],
  },
  {
    name: 'HIPAA authorization cover',
    types: ['PI', 'Med-Mal'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{client.name}}, born {{client.dateOfBirth}}'),
      ...salute('recipient'),
      ...text(
        'Enclosed is an authorization under 45 CFR 164.508 by which {{client.letterName}} allows you to give us health information. It covers {{ask ‘Which records does it cover?’}} and expires on {{ask ‘When does it end?’}}.',
        'Please treat a copy like the original, and tell us if your office needs its own form. Our client may revoke it in writing at any time.',
      ),
      ...close,
    ],
  },
  {
    name: 'Notice to opposing counsel',
    types: [],
    blocks: [
      ...head,
      ...text(
        '{{opposingCounsel.name}}',
        '{{#opposingCounsel.organization}}',
        '{{opposingCounsel.organization}}',
        '{{/}}',
        '{{opposingCounsel.address}}',
      ),
      bold('Re: {{case.caseName}}{{#case.caseNo}}, No. {{case.caseNo}}{{/}}'),
      ...text(
        'Dear {{opposingCounsel.name}}:',
        'We represent {{client.name}} in this matter. Please send all further papers and calls to {{me.name}} at {{me.email}}{{#me.phoneNumber}} or {{me.phoneNumber}}{{/}}.',
        '{{ask ‘What do you want to say?’}}',
        '{{#nextDates}}',
        'We have noted {{title}} for {{date}}.',
        '{{/}}',
        'Please let us know within ten days if you disagree.',
      ),
      ...close,
    ],
  },
  {
    name: 'Demand letter',
    types: ['PI'],
    blocks: [
      ...head,
      ...toRecipient,
      bold('Re: {{client.name}}, date of injury {{case.DOI}}'),
      bold('For settlement purposes only'),
      ...salute('recipient'),
      bold('What happened'),
      ...text('{{ask ‘What happened?’}}'),
      bold('Why your insured is liable'),
      ...text('{{ask ‘Why are they liable?’}}'),
      bold('Injuries and treatment'),
      ...text('{{ask ‘What are the injuries and the treatment?’}}', '{{#parties.provider}}'),
      { text: '{{name}}{{#note}}: {{note}}{{/}}', marker: 'bullet' },
      ...text('{{/}}'),
      bold('Demand'),
      ...text(
        'To settle all claims of {{client.letterName}} against your insured we demand {{ask ‘How much do you demand?’}}. This offer ends on {{ask ‘When does the offer end?’}}.',
        '{{#case.SOL}}',
        'The time to file suit ends on {{case.SOL}}. Without an agreement we will file before then.',
        '{{/}}',
        'The supporting records and bills are enclosed.',
      ),
      ...close,
    ],
  },
];
