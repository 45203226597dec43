// Writes contacts as vCard 4.0 (RFC 6350).

import ICAL from 'ical.js';

export type ContactCard = {
  id: string;
  isOrganization: boolean;
  name: string;
  otherNames: readonly string[];
  organization: string | null;
  emails: readonly string[];
  phoneNumbers: readonly string[];
  fax: string | null;
  address: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  note: string;
  modified: string;
};

type Property = [
  name: string,
  parameters: Record<string, string>,
  type: string,
  value: string | string[],
];

export function writeContactCards(cards: readonly ContactCard[]): string {
  return cards.map((card) => ICAL.stringify(['vcard', propertiesOf(card), []])).join('');
}

function propertiesOf(card: ContactCard): Property[] {
  const text = (name: string, value: string | null): Property[] =>
    value ? [[name, {}, 'text', value]] : [];
  const { emails, phoneNumbers, otherNames, fax } = card;
  return [
    ['version', {}, 'text', '4.0'],
    ['uid', {}, 'uri', `urn:uuid:${card.id}`],
    ['kind', {}, 'text', card.isOrganization ? 'org' : 'individual'],
    ['fn', {}, 'text', card.name],
    ...otherNames.flatMap((name) => text('nickname', name)),
    ...text('org', card.organization),
    ...emails.map((email): Property => ['email', {}, 'text', email]),
    ...phoneNumbers.map((number): Property => ['tel', {}, 'text', number]),
    ...(fax ? [['tel', { type: 'fax' }, 'text', fax] satisfies Property] : []),
    ...(card.address ? [addressOf(card.address)] : []),
    ...(card.dateOfBirth
      ? [['bday', {}, 'date-and-or-time', card.dateOfBirth] satisfies Property]
      : []),
    ...text('note', card.note),
    ['rev', {}, 'timestamp', card.modified],
  ];
}

/** The lines as they are on an envelope, since nothing says which of them is the city. */
function addressOf(address: string): Property {
  return ['adr', { label: address }, 'text', ['', '', address, '', '', '', '']];
}
