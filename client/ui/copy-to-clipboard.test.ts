import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyToClipboard } from './copy-to-clipboard.ts';
import { closeToast, visibleToasts } from './toast-store.ts';

const shown = () => visibleToasts().map(({ kind, text }) => [kind, text]);
const closeAll = () => {
  for (let [left] = visibleToasts(); left; [left] = visibleToasts()) closeToast(left.id);
};

beforeEach(closeAll);
afterEach(() => {
  closeAll();
  vi.unstubAllGlobals();
});

test('a copied text is on the clipboard, and a toast says so', async () => {
  const writeText = vi.fn<() => Promise<void>>(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copyToClipboard('https://firm.example/1', 'Link copied')).toBe(true);
  expect(writeText).toHaveBeenCalledExactlyOnceWith('https://firm.example/1');
  expect(shown()).toEqual([['success', 'Link copied']]);
});

test('a text that the browser refuses to copy is reported as not copied', async () => {
  const refusal = new DOMException('Write permission denied.', 'NotAllowedError');
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(refusal) } });
  expect(await copyToClipboard('secret', 'Secret copied')).toBe(false);
  expect(shown()).toEqual([['error', 'Couldn’t copy']]);
});

test('a page without a clipboard reports that nothing was copied', async () => {
  vi.stubGlobal('navigator', {});
  expect(await copyToClipboard('secret', 'Secret copied')).toBe(false);
  expect(shown()).toEqual([['error', 'Couldn’t copy']]);
});
