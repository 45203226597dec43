import type { Data, Field } from '../integrations/templates/fields.ts';

/** Fields of the templates that tests fill, and a matter's values for them. */
export const catalog: Field[] = [
  { path: 'client.name', label: 'Client: name', kind: 'text' },
  { path: 'client.born', label: 'Client: date of birth', kind: 'date' },
  {
    path: 'parties.insurer',
    label: 'Insurer',
    kind: 'list',
    items: [
      { path: 'name', label: 'name', kind: 'text' },
      { path: 'phone', label: 'phone', kind: 'text' },
    ],
  },
];
export const data: Data = {
  client: { name: 'Ngozi <Abara> & Daughters' },
  parties: {
    insurer: [
      { name: 'Meridian Mutual', phone: '518 555 0100' },
      { name: 'Zenith', phone: '518 555 0199' },
    ],
  },
};
