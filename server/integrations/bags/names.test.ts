import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Names } from './names.ts';

const one = (name: string) => new Names().add([name])[0];

describe('names of an archive', () => {
  test.each([
    ['Motion to dismiss.pdf', 'Motion to dismiss.pdf'],
    ['a<b>c:d"e/f\\g|h?i*j.txt', 'a_b_c_d_e_f_g_h_i_j.txt'],
    ['line\nbreak\u0000.txt', 'line_break_.txt'],
    ['fdp.\u202Egpj.exe', 'fdp.gpj.exe'],
    ['zero\u200Bwidth\uFEFF.txt', 'zerowidth.txt'],
    ['half \uD83D.txt', 'half _.txt'],
    ['Cafe\u0301.txt', 'Caf\u00E9.txt'],
    ['e\u200B\u0301.txt', '\u00E9.txt'],
    ['dots. . .', 'dots'],
    ['  both ends  ', 'both ends'],
    ['', 'untitled'],
    ['..', 'untitled'],
    ['\u200B', 'untitled'],
    ['50% off.txt', '50_ off.txt'],
    ['.gitignore', '.gitignore'],
  ])('%j becomes %j', (name, safe) => {
    expect(one(name)).toBe(safe);
  });

  test.each([
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['Aux .tar.gz', 'Aux_ .tar.gz'],
    ['com1', 'com1_'],
    ['COM\u00B9.log', 'COM\u00B9_.log'],
    ['LPT9.pdf', 'LPT9_.pdf'],
    ['CON.', 'CON_'],
    [`CON.${'x'.repeat(172)}.pdf`, `CON_.${'x'.repeat(171)}.pdf`],
    [`CON${' '.repeat(200)}x`, 'CON_'],
    ['CONTRACT.pdf', 'CONTRACT.pdf'],
    ['COM10.txt', 'COM10.txt'],
  ])('a device of Windows does not remain: %j becomes %j', (name, safe) => {
    expect(one(name)).toBe(safe);
  });

  test('are cut before the extension, at characters and at bytes', () => {
    expect(one(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(176)}.pdf`);
    expect(one(`${'é'.repeat(300)}.pdf`)).toBe(`${'é'.repeat(118)}.pdf`);
    expect(one(`${'\u{1F600}'.repeat(200)}.pdf`)).toBe(`${'\u{1F600}'.repeat(59)}.pdf`);
    const sentence = `Smith v. Jones ${'and others '.repeat(30)}`;
    expect(one(sentence)).toBe(sentence.slice(0, 180).trim());
  });

  test('that are equal, or differ only in case, get numbers before the extension', () => {
    const names = new Names();
    const add = (name: string) => names.add([name])[0];
    expect(add('Brief.pdf')).toBe('Brief.pdf');
    expect(add('brief.PDF')).toBe('brief (2).PDF');
    expect(add('Brief.pdf')).toBe('Brief (3).pdf');
    expect(add('Brief (4).pdf')).toBe('Brief (4).pdf');
    expect(add('Brief.pdf')).toBe('Brief (5).pdf');
    expect(add('CON')).toBe('CON_');
    expect(add('CON')).toBe('CON_ (2)');
    const long = 'x'.repeat(200);
    expect(add(`${long}.pdf`)).toBe(`${'x'.repeat(176)}.pdf`);
    expect(add(`${long}.pdf`)).toBe(`${'x'.repeat(172)} (2).pdf`);
  });

  test('are separate in each folder, and a folder stays the same', () => {
    const names = new Names();
    expect(names.add(['Mail', 'a.eml'])).toEqual(['Mail', 'a.eml']);
    expect(names.add(['mail', 'a.eml'])).toEqual(['mail (2)', 'a.eml']);
    expect(names.add(['Mail', 'a.eml'])).toEqual(['Mail', 'a (2).eml']);
    expect(names.add(['mail', 'b.eml'])).toEqual(['mail (2)', 'b.eml']);
    expect(names.add(['Mail'])).toEqual(['Mail (3)']);
    expect(names.add(['v1.2', 'V1.2'])).toEqual(['v1.2', 'V1.2']);
    expect(names.add(['V1.2', 'x'])).toEqual(['V1.2 (2)', 'x']);
    expect(names.add(['a/b', '..', 'x'])).toEqual(['a_b', 'untitled', 'x']);
  });

  test('of any text are safe and differ', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('.', ' ', 'a', 'A', 'CON', '\u0301', '\uD800'),
        maxLength: 90,
      }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const names = new Names();
        const given = texts.map((text) => names.add([text])[0] ?? '');
        for (const name of given) {
          expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cs}]|[. ]$|^$/u);
          expect(name).not.toMatch(/^(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³]) *(?:\.|$)/i);
          expect([...name].length).toBeLessThanOrEqual(180);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
          expect(name.normalize('NFC')).toBe(name);
        }
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
      }),
    );
  });

  test('are given to 70,000 equal files, and to a long run of dots', () => {
    const names = new Names();
    for (let n = 0; n < 70_000; n += 1) names.add(['documents', 'Scan.pdf']);
    expect(names.add(['documents', 'Scan.pdf'])[1]).toBe('Scan (70001).pdf');
    expect(one(`a${'.'.repeat(100_000)}b`)).toBe('a.b');
  });
});
