import { expect, test } from 'vitest';
import { fileOf, inWindows1252 } from '../../testing/exports.ts';
import { readCards } from './cards.ts';

function cardsOf(content: string | Buffer) {
  return Array.fromAsync(readCards(fileOf('x.vcf', content)));
}

function card(...lines: string[]): string {
  return ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
}

const at = { file: 'x.vcf', row: 1 };

test('a card of version 2.1 is read with its encodings and bare types', async () => {
  expect(
    await cardsOf(
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;Dr.;Jr.',
        'FN;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:J=F6rg =',
        'M=FCller',
        'TEL;CELL:555-1',
        'TEL;WORK;FAX:555-2',
        'TEL;HOME;PREF:555-3',
        'EMAIL;INTERNET:j@x.example',
        'ADR;HOME;QUOTED-PRINTABLE:;;1 Main St=0D=0AApt 2;Albany;NY;12207;US',
        'PHOTO;ENCODING=BASE64;JPEG:AAAA',
        ' BBBB:CC',
        '',
        'NOTE:a',
      ),
    ),
  ).toEqual([
    {
      ...at,
      cells: {
        kind: 'person',
        name: 'Jörg Müller',
        prefix: 'Dr.',
        firstName: 'Jörg',
        lastName: 'Müller Jr.',
        phone: '555-3',
        phone2: '555-1',
        fax: '555-2',
        email: 'j@x.example',
        street: '1 Main St\nApt 2',
        city: 'Albany',
        state: 'NY',
        postalCode: '12207',
        country: 'US',
        notes: 'a',
      },
      rest: {},
    },
  ]);
});

test('a card of version 3.0 is read with groups, folds and escapes', async () => {
  const [found] = await cardsOf(
    card(
      'VERSION:3.0',
      'item1.ORG:Acme\\, Inc.;Legal',
      'FN:Acme\\, Inc.',
      'X-ABShowAs:COMPANY',
      'item2.EMAIL;type=INTERNET;type=pref:b@x.example',
      'EMAIL;TYPE=WORK:a@x.example',
      'EMAIL:c@x.example',
      'NOTE:long',
      '  line\\nsecond\\; \\\\',
      'URL:http\\://x.example',
      'X-UNKNOWN:1',
    ),
  );
  expect(found).toEqual({
    ...at,
    cells: {
      kind: 'organisation',
      name: 'Acme, Inc.',
      email: 'b@x.example',
      email2: 'a@x.example',
      notes: 'long line\nsecond; \\',
    },
    rest: { 'More emails': 'c@x.example', 'Web page': 'http://x.example' },
  });
});

test('a card of version 4.0 is read with its uris, labels and quotes', async () => {
  const [found] = await cardsOf(
    card(
      'VERSION:4.0',
      'UID:urn:uuid:12-34',
      'KIND:individual',
      'FN:Jane Doe',
      'NICKNAME:JD',
      'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-518-555-0101',
      'ADR;LABEL="1 Main St\\nAlbany; NY":;;1 Main St;;;;',
      'BDAY:19800102',
    ),
  );
  expect(found).toMatchObject({
    cells: {
      id: '12-34',
      kind: 'person',
      otherNames: 'JD',
      phone: '+1-518-555-0101',
      address: '1 Main St\nAlbany; NY',
      dateOfBirth: '19800102',
    },
  });
});

test('cards in Windows-1252 are read', async () => {
  expect(await cardsOf(inWindows1252(card('VERSION:2.1', 'FN:Jörg')))).toMatchObject([
    { cells: { name: 'Jörg' } },
  ]);
});

test('a card that is too long is a problem, and those after it are read', async () => {
  const long = card('FN:A', ...Array.from({ length: 3000 }, (_, n) => `X-${n}:x`));
  expect(await cardsOf(long + card('FN:B', `PHOTO:${'A'.repeat(3_000_000)}`, 'NOTE:n'))).toEqual([
    { ...at, column: null, message: 'The contact is too long' },
    { file: 'x.vcf', row: 2, cells: { kind: 'person', name: 'B', notes: 'n' }, rest: {} },
  ]);
});

test('a file without cards is said', async () => {
  expect(await cardsOf('FN:A\n')).toEqual([
    { file: 'x.vcf', row: null, column: null, message: 'The file has no contacts' },
  ]);
});
