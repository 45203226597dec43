import { sql, type RawBuilder } from 'kysely';

type Field = { key: string; label: string; kind: string };
const field = (own: Field & Record<string, unknown>) => ({
  required: false,
  options: [],
  help: '',
  showIf: null,
  maps: null,
  ...own,
});
// Names come before the story, so that the firm learns no more than it must before it has looked for conflicts.
const asker = [
  field({ key: 'name', label: 'Your name', kind: 'line', required: true, maps: 'name' }),
  field({ key: 'phone', label: 'Phone', kind: 'phone', maps: 'phoneNumber' }),
  field({
    key: 'email',
    label: 'Email',
    kind: 'email',
    maps: 'email',
    help: 'Phone or email: one is enough.',
  }),
];
const other = (label: string) =>
  field({ key: 'other', label, kind: 'line', maps: 'opposingParty' });
const story = field({
  key: 'story',
  label: 'What happened?',
  kind: 'paragraphs',
  required: true,
  maps: 'description',
});
const date = field({ key: 'date', label: 'Date', kind: 'date', maps: 'DOI' });
const treated = [
  field({ key: 'treated', label: 'Did a doctor treat you?', kind: 'yesNo' }),
  field({
    key: 'where',
    label: 'Which doctor or hospital?',
    kind: 'line',
    maps: 'provider',
    showIf: { key: 'treated', equals: 'Yes' },
  }),
];
/** The public forms that a new installation has, switched off. */
const shippedForms = [
  {
    slug: 'civil',
    name: 'Civil',
    type: 'Civil',
    intro: 'Tell us who is involved and what it is about. It takes about three minutes.',
    fields: [
      ...asker,
      other('Who is on the other side?'),
      field({
        key: 'kind',
        label: 'What is it about?',
        kind: 'choice',
        options: ['Contract', 'Home or land', 'Business', 'Employment', 'Something else'],
      }),
      date,
      story,
      field({ key: 'papers', label: 'Papers', kind: 'file', help: 'Up to five files.' }),
    ],
  },
  {
    slug: 'personal-injury',
    name: 'Personal injury',
    type: 'PI',
    intro: 'Tell us what happened. It takes about three minutes.',
    fields: [
      ...asker,
      field({
        key: 'kind',
        label: 'Kind of accident',
        kind: 'choice',
        options: ['Car or truck', 'Fall', 'Work', 'Dog bite', 'Something else'],
      }),
      date,
      other('Who else was involved?'),
      story,
      ...treated,
      field({ key: 'insurer', label: 'Insurance company', kind: 'line', maps: 'insurer' }),
      field({ key: 'photos', label: 'Photos', kind: 'file', help: 'Up to five files.' }),
    ],
  },
  {
    slug: 'medical-malpractice',
    name: 'Medical malpractice',
    type: 'Med-Mal',
    intro: 'Tell us who treated you and what happened. It takes about three minutes.',
    fields: [
      ...asker,
      field({ key: 'own', label: 'Were you the patient?', kind: 'yesNo' }),
      field({
        key: 'patient',
        label: 'Who was the patient?',
        kind: 'line',
        showIf: { key: 'own', equals: 'No' },
      }),
      other('Which doctor or hospital?'),
      date,
      story,
      field({ key: 'records', label: 'Records', kind: 'file', help: 'Up to five files.' }),
    ],
  },
];

const templates = [
  {
    name: 'We cannot take your case',
    subject: 'Your inquiry of {date}',
    text: 'Dear {name},\n\nThank you for contacting {firm} about {about}.\n\nWe have decided not to represent you, and have done nothing on your behalf. Time limits apply to claims and may run out soon: if you want to pursue this, please speak with another attorney promptly.\n\n{firm}',
  },
  {
    name: 'What we need from you',
    subject: 'Your inquiry of {date}',
    text: 'Dear {name},\n\nThank you for contacting {firm} about {about}. Please reply with the documents that you have. We do not represent you until both of us have signed an agreement.\n\n{firm}',
  },
];

/** Public forms of intakes, and the settings of what they bring. */
export const intakeForms: RawBuilder<unknown>[] = [
  sql`
    create table intake_forms (
      id uuid primary key default gen_random_uuid(),
      slug text not null unique,
      name text not null,
      type text check (type in ('Civil', 'PI', 'Med-Mal')),
      intro text not null,
      fields jsonb not null,
      notice text not null,
      thanks text not null,
      origins text[] not null,
      -- People who own what comes in, in turn.
      owners uuid[] not null,
      turn int not null default 0,
      active boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`,
  // Pages that were sent, until they are too old to be sent at all.
  sql`
    create table used_stamps (
      stamp text primary key,
      used_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index used_stamps_old on used_stamps (used_at)`,
  ...shippedForms.map(
    (form) => sql`
      insert into intake_forms (slug, name, type, intro, fields, notice, thanks, origins, owners)
      values (${form.slug}, ${form.name}, ${form.type}, ${form.intro},
        ${JSON.stringify(form.fields)}::text::jsonb, 'Only our firm reads what you send.',
        'Thank you. We have what you sent, and call you back as soon as we can.', '{}', '{}')`,
  ),
  sql`
    create table intake_settings (
      is_single boolean primary key default true check (is_single),
      response_minutes int not null default 60,
      keep_months int not null default 24,
      sources text[] not null,
      templates jsonb not null
    )`,
  sql`
    insert into intake_settings (sources, templates)
    values (array['Referral', 'Website', 'Google', 'Former client', 'Other'],
      ${JSON.stringify(templates)}::text::jsonb)`,
];
