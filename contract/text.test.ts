import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { choice, email, id, line, optionalParagraphs, paragraphs } from './text.ts';

type Schema = Pick<z.ZodMiniType, 'safeParse'>;

function accepted(schema: Schema, input: unknown) {
  const result = schema.safeParse(input);
  return result.success ? result.data : `refused: ${messageOf(schema, input)}`;
}

/** Message of the first error, or undefined. */
function messageOf(schema: Schema, input: unknown) {
  return schema.safeParse(input).error?.issues[0]?.message;
}

const hostile: [string, string][] = [
  ['NUL', 'a\0b'],
  ['a bell', 'a\u0007b'],
  ['delete', 'a\u007Fb'],
  ['a C1 control character', 'a\u0085b'],
  ['an override to the left', 'a\u202Eb'],
  ['an embedding', 'a\u202Ab'],
  ['an isolate', 'a\u2066b'],
  ['the end of an isolate', 'a\u2069b'],
  ['the first half of a pair', 'a\uD83Db'],
  ['the second half of a pair', 'a\uDE00b'],
  ['a half at the end', 'ab\uD83D'],
];

const missing = [undefined, null, '', '   ', '\n\t', '\u00A0', '\uFEFF'];
const otherTypes = [0, 7, true, false, [], ['a'], {}, { length: 1 }];

describe('a line', () => {
  const name = line('Name', { max: 5 });

  test('is trimmed and composed', () => {
    expect(accepted(name, '  Ada \n')).toBe('Ada');
    expect(accepted(name, 'e\u0301')).toBe('\u00E9');
    expect(accepted(name, '\u00A0\uFEFFa\u3000')).toBe('a');
  });

  test.each(missing)('reports a missing or blank value: %j', (input) => {
    expect(messageOf(name, input)).toBe('Name is required');
    expect(messageOf(line('Name', { required: 'Who?' }), input)).toBe('Who?');
  });

  test.each(otherTypes)('must be text and not %j', (input) => {
    expect(messageOf(name, input)).toBe('Name must be text');
  });

  test.each([...hostile, ['a line break', 'a\nb'], ['a tab', 'a\tb']])(
    'holds no %s',
    (_, input) => {
      expect(messageOf(name, input)).toBe('Name must not hold control characters');
    },
  );

  test('keeps every script and emoji verbatim', () => {
    for (const text of ['😀 é', 'नमस्ते', 'שלום', 'a\u200Db', "O'Neill & Söhne <b>%_\\"])
      expect(accepted(line('Name'), text)).toBe(text);
  });

  test('counts its length after trimming and composing', () => {
    expect(accepted(name, ' 12345 ')).toBe('12345');
    expect(accepted(name, 'e\u0301'.repeat(5))).toBe('é'.repeat(5));
    expect(messageOf(name, '123456')).toBe('Name must have at most 5 characters');
    expect(messageOf(line('Name'), 'x'.repeat(201))).toBe('Name must have at most 200 characters');
  });
});

describe('a stack of accents', () => {
  const stack = (height: number) => `a${'\u0301\u0316'.repeat(height / 2)}b`;

  test.each([line('Name'), paragraphs('Name'), optionalParagraphs('Name')])(
    'has at most thirty',
    (schema) => {
      expect(accepted(schema, stack(30))).toBe(stack(30).normalize('NFC'));
      expect(messageOf(schema, stack(32))).toBe(
        'Name must not stack more than 30 accents on one letter',
      );
    },
  );

  test('is not looked at in a text that is too long', () => {
    for (const schema of [line('Name'), paragraphs('Name'), email('Name')]) {
      const { error } = schema.safeParse(stack(494_000));
      expect(error?.issues.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^Name must have at most \d+ characters$/),
      ]);
    }
  });

  test('gets as short as its limit by composing', () => {
    expect(accepted(line('Name', { max: 5 }), '\u03B1\u0313\u0300\u0345'.repeat(5))).toBe(
      '\u1F82'.repeat(5),
    );
  });
});

describe('paragraphs', () => {
  const address = paragraphs('Address', { max: 10 });

  test('accept line breaks and tabs, and normalize line ends', () => {
    expect(accepted(address, ' a\r\nb\rc\n\td ')).toBe('a\nb\nc\n\td');
  });

  test.each(hostile)('hold no %s', (_, input) => {
    expect(messageOf(address, input)).toBe('Address must not hold control characters');
    const description = optionalParagraphs('Description');
    expect(messageOf(description, input)).toBe('Description must not hold control characters');
  });

  test.each(missing)('report a missing or blank required value: %j', (input) => {
    expect(messageOf(address, input)).toBe('Address is required');
  });

  test('accept empty optional values, and otherwise text', () => {
    const description = z._default(optionalParagraphs('Description', { max: 3 }), '');
    expect(accepted(description, undefined)).toBe('');
    expect(accepted(description, '  ')).toBe('');
    expect(messageOf(description, null)).toBe('Description must be text');
    expect(messageOf(description, 7)).toBe('Description must be text');
    expect(messageOf(description, 'four')).toBe('Description must have at most 3 characters');
  });

  test('refuse texts over their length limit', () => {
    expect(messageOf(address, 'x'.repeat(11))).toBe('Address must have at most 10 characters');
  });
});

describe('an email address', () => {
  const address = email('Email');

  test.each(['a@b.co', 'Ada.Lovelace+desk@firm.example', "o'neill@x-y.example.org"])(
    'such as %s is one',
    (input) => {
      expect(accepted(address, ` ${input} `)).toBe(input);
    },
  );

  test.each(['a', 'a@', '@b.co', 'a@b', 'a b@c.co', 'a@b..co', 'a@b.co, c@d.co', 'a@[1.2.3.4]'])(
    'such as %s is none',
    (input) => {
      expect(messageOf(address, input)).toBe('Invalid email format');
    },
  );

  test('is required and has at most 254 characters', () => {
    expect(messageOf(address, ' ')).toBe('Email is required');
    expect(messageOf(address, null)).toBe('Email is required');
    const local = 'x'.repeat(255 - '@firm.example'.length);
    expect(messageOf(address, `${local}@firm.example`)).toBe(
      'Email must have at most 254 characters',
    );
    expect(accepted(address, `${local.slice(1)}@firm.example`)).toHaveLength(254);
  });
});

describe('a choice', () => {
  const status = choice('Status', ['Pre-List', 'ADR']);

  test.each(missing)('reports a missing or blank value: %j', (input) => {
    expect(messageOf(status, input)).toBe('Status is required');
  });

  test.each(['adr', ' ADR', 'toString', '__proto__', 0, [], ['ADR'], {}])(
    'is one of its words and not %j',
    (input) => {
      expect(messageOf(status, input)).toBe('Status must be one of Pre-List, ADR');
    },
  );
});

describe('an id', () => {
  const person = id('Please select any user');

  test.each([...missing, ...otherTypes, 'x'.repeat(101), ...hostile.map(([, text]) => text)])(
    'is not %j',
    (input) => {
      expect(messageOf(person, input)).toBe('Please select any user');
    },
  );

  test('is anything else', () => {
    expect(accepted(person, ' 42 ')).toBe('42');
  });
});
