import type { DeclineReason, IntakeParty, NewIntake } from '@matterdesk/contract/intakes.ts';

type SampleInquiry = Pick<
  NewIntake,
  'name' | 'phoneNumber' | 'email' | 'address' | 'type' | 'source'
> &
  Pick<NewIntake, 'description' | 'parties'>;

/** Stage of an inquiry, each with the steps that lead to it. */
export type Outcome =
  | { stage: 'new'; isChecked?: boolean }
  | { stage: 'contacted'; call: string; nextStep: string }
  | { stage: 'conflictCheck'; call: string }
  | { stage: 'consultScheduled'; call: string; days: number }
  | { stage: 'accepted'; call: string }
  | { stage: 'declined'; reason: DeclineReason; note: string }
  | { stage: 'referred'; reason: DeclineReason; note: string };

/** An inquiry by telephone. */
export type Inquiry = SampleInquiry & {
  /** Days between what happened and the call; null where the day is not known. */
  happened: number | null;
  /** Minutes since it came. */
  ago: number;
  /** Minutes until the firm answered. */
  answered: number;
  /** A place in the list of people. */
  owner: number;
  outcome: Outcome;
};

/** An inquiry by a public form: answers by the keys of its questions. */
export type SentForm = { slug: string; source: string; answers: Record<string, string> };

const HOUR = 60;
const DAY = 24 * HOUR;
/** Stand for clients of the firm, by their place, so that a conflict check meets them. */
export const CLIENTS = ['a client of the firm', 'another client of the firm'];
const [A_CLIENT = '', ANOTHER_CLIENT = ''] = CLIENTS;

const against = (name: string): IntakeParty => ({ name, role: 'opposingParty' });

export const inquiries: Inquiry[] = [
  {
    name: 'Leticia Montanez',
    phoneNumber: '1 914 555 0118',
    email: 'leticia.montanez@mail.example',
    address: '41 Riverdale Avenue, Yonkers, NY 10701',
    type: 'PI',
    source: 'Former client',
    happened: 1,
    parties: [against('Fairgrounds Supermarket')],
    description:
      'Slipped on a wet floor beside the freezers, no sign. Broken wrist, surgery on Thursday. The store manager wrote a report and would not give her a copy.',
    ago: 3 * HOUR,
    answered: 0,
    owner: 0,
    outcome: { stage: 'new' },
  },
  {
    name: 'Warren Tillman',
    phoneNumber: '1 518 555 0173',
    email: 'w.tillman@tillmanmasonry.example',
    address: '12 Ferry Street, Troy, NY 12180',
    type: 'Civil',
    source: 'Referral',
    happened: null,
    parties: [against(A_CLIENT)],
    description:
      'Built a retaining wall last fall and was paid half. The owner says that the wall leans and keeps the other half. Has the contract and photographs.',
    ago: 25,
    answered: 0,
    owner: 0,
    outcome: { stage: 'new', isChecked: true },
  },
  {
    name: 'Beatrice Halloran',
    phoneNumber: '1 315 555 0129',
    email: 'bea.halloran@mail.example',
    address: '208 Genesee Street, Utica, NY 13502',
    type: 'Civil',
    source: 'Google',
    happened: null,
    parties: [against('Mohawk Ridge Apartments')],
    description: 'Her landlord keeps a deposit of $4,200 after she moved out, for “cleaning”.',
    ago: 2 * DAY,
    answered: 20,
    owner: 1,
    outcome: {
      stage: 'contacted',
      call: 'She sends the lease and the photographs of the empty rooms.',
      nextStep: 'Read the lease',
    },
  },
  {
    name: 'Curtis Boateng',
    phoneNumber: '1 212 555 0161',
    email: 'curtis.boateng@mail.example',
    address: '530 West 136th Street, New York, NY 10031',
    type: 'PI',
    source: 'Referral',
    happened: 2,
    parties: [against('Crosstown Messenger Service'), { name: ANOTHER_CLIENT, role: 'witness' }],
    description:
      'An e-bike courier ran a red light and hit him in the crosswalk. Torn knee ligament. A neighbor, once our client, saw it.',
    ago: 4 * DAY,
    answered: 35,
    owner: 0,
    outcome: { stage: 'conflictCheck', call: 'Wants to go on. Knows the courier’s company.' },
  },
  {
    name: 'Yolanda Pruitt',
    phoneNumber: '1 607 555 0144',
    email: 'ypruitt@mail.example',
    address: '19 Chestnut Street, Binghamton, NY 13905',
    type: 'Med-Mal',
    source: 'Website',
    happened: null,
    parties: [against('Susquehanna Valley Surgical Center')],
    description:
      'A clamp was left behind after a gallbladder operation in March and removed by another hospital in August.',
    ago: 6 * DAY,
    answered: 48,
    owner: 1,
    outcome: { stage: 'consultScheduled', call: 'Brings both operation reports.', days: 2 },
  },
  {
    name: 'Anselm Richter',
    phoneNumber: '1 845 555 0107',
    email: 'anselm.richter@mail.example',
    address: '77 Main Street, Beacon, NY 12508',
    type: 'Civil',
    source: 'Former client',
    happened: null,
    parties: [against('Hudson Bend Cabinetry')],
    description: 'Paid $18,000 for a kitchen that never came; the workshop is closed.',
    ago: 5 * DAY,
    answered: 75,
    owner: 2,
    outcome: { stage: 'consultScheduled', call: 'Paid by two checks, has both.', days: 4 },
  },
  {
    name: 'Rosalind Achebe',
    phoneNumber: '1 914 555 0192',
    email: 'rosalind.achebe@mail.example',
    address: '6 Locust Avenue, White Plains, NY 10605',
    type: 'PI',
    source: 'Referral',
    happened: 3,
    parties: [against('Tri-Valley Coach Lines')],
    description: 'Thrown from her seat when a coach braked on the parkway. Two fractured ribs.',
    ago: 16 * DAY,
    answered: 30,
    owner: 0,
    outcome: { stage: 'accepted', call: 'Signed the retainer the same week.' },
  },
  {
    name: 'Gregory Stamos',
    phoneNumber: '1 518 555 0115',
    email: 'g.stamos@mail.example',
    address: '350 Broadway, Saratoga Springs, NY 12866',
    type: 'Med-Mal',
    source: 'Google',
    happened: null,
    parties: [against('Adirondack Dental Group')],
    description: 'A wisdom tooth was pulled in 2019 and his lip has been numb since.',
    ago: 21 * DAY,
    answered: 55,
    owner: 1,
    outcome: {
      stage: 'declined',
      reason: 'tooLate',
      note: 'More than two and a half years since the treatment ended.',
    },
  },
  {
    name: 'Philippa Crane',
    phoneNumber: '1 315 555 0158',
    email: 'philippa.crane@mail.example',
    address: '14 Lake Avenue, Skaneateles, NY 13152',
    type: 'Civil',
    source: 'Website',
    happened: null,
    parties: [],
    description: 'Wants to know whether she can take her daughter to live in Oregon.',
    ago: 9 * DAY,
    answered: 15,
    owner: 2,
    outcome: { stage: 'referred', reason: 'scope', note: 'Custody.' },
  },
];

export const firm = {
  name: 'Hartwell Osei LLP',
  address: '410 Broadway, Suite 900\nAlbany, NY 12207',
  phone: '1 518 555 0140',
  letterhead: 'Attorneys at Law\nFax 1 518 555 0141\nwww.hartwell-osei.example',
};

/** Titles of people in the sample matters, by first name. */
export const titles = new Map([
  ...['Amara', 'Grace', 'Samira', 'Yevgeniya', 'Zofia'].map((name) => [name, 'Ms.'] as const),
  ...['Ahmed', 'Mateo', 'Paolo', 'Rafael', 'Thabo', 'Yusuf'].map((name) => [name, 'Mr.'] as const),
]);

/** Takes what the firm does not. */
export const familyLawyer = {
  kind: 'person' as const,
  name: 'Imogen Whitcombe',
  organisation: 'Whitcombe Family Law',
  emails: ['imogen@whitcombe-family.example'],
  phoneNumbers: ['1 315 555 0186'],
  address: '120 East Washington Street, Syracuse, NY 13202',
  fax: '1 315 555 0187',
  salutation: 'Dear Imogen',
  letterName: 'Ms. Whitcombe',
};

/** Came while the firm slept; the last one is not an inquiry. */
export const sentForms: SentForm[] = [
  {
    slug: 'personal-injury',
    source: 'Billboard',
    answers: {
      name: 'Maribel Echevarria',
      phone: '1 212 555 0136',
      email: 'maribel.echevarria@mail.example',
      kind: 'Car or truck',
      other: 'Stonegate Moving and Storage',
      story:
        'A moving truck backed into my car on Dyckman Street while I waited at the light. The driver said that he did not see me. My neck hurts and the car is a total loss.',
      treated: 'Yes',
      where: 'Harlem Heights Urgent Care',
      insurer: 'Ridgefield Mutual',
    },
  },
  {
    slug: 'medical-malpractice',
    source: '',
    answers: {
      name: 'Terrence Oyelowo',
      phone: '1 845 555 0171',
      email: 'terrence.oyelowo@mail.example',
      own: 'No',
      patient: 'Grace Oyelowo, my mother',
      other: 'Ramapo Valley Hospital',
      story:
        'She was sent home from the emergency room twice with chest pain. The third time it was a heart attack. She is in rehabilitation now.',
    },
  },
];
export const spam: SentForm = {
  slug: 'civil',
  source: '',
  answers: {
    name: 'Web Growth Team',
    email: 'offers@rank-first.example',
    story:
      'Be first on every search: https://rank-first.example https://rank-first.example/law https://rank-first.example/now https://rank-first.example/buy',
  },
};

/** Come one after the other while the sandbox is open. */
export const comingForms: SentForm[] = [
  {
    slug: 'personal-injury',
    source: 'Google',
    answers: {
      name: 'Delphine Marchetti',
      phone: '1 914 555 0125',
      email: 'delphine.marchetti@mail.example',
      kind: 'Dog bite',
      other: 'Roland Pickering',
      story:
        'The neighbor’s dog got through the fence and bit my son in the arm. Eleven stitches. The dog had bitten the mail carrier before.',
      treated: 'Yes',
      where: 'New Rochelle Children’s Clinic',
    },
  },
  {
    slug: 'civil',
    source: '',
    answers: {
      name: 'Howard Nakagawa',
      phone: '1 607 555 0182',
      email: 'howard@nakagawa-bakery.example',
      other: 'Finger Lakes Refrigeration',
      kind: 'Contract',
      story:
        'The cold room that they installed in our bakery failed twice within a month. We lost a week of business, and they do not answer.',
    },
  },
];

/** A stranger with a number alone. */
export const texted = {
  owner: 3,
  from: '+12125550199',
  name: 'Jerome Whitlock',
  texts: [
    'Hi, is this the law firm? I was doored by a cab on Tuesday on my bike.',
    'Collarbone is broken. The police took a report. Do you take cases like that?',
  ],
  description: 'Doored by a cab on his bike. Broken collarbone, police report.',
};
