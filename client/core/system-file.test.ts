import { expect, test } from 'vitest';
import { isSystemFile } from './system-file.ts';

test('system files are known by their names', () => {
  for (const name of ['.DS_Store', '._deed.pdf', 'Thumbs.db', '~$brief.docx', '__MACOSX'])
    expect(isSystemFile(name)).toBe(true);
  for (const name of ['deed.pdf', '.hidden', 'thumbs.pdf']) expect(isSystemFile(name)).toBe(false);
});
