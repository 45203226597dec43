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
export const shippedForms = [
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
