import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteBuild } from '../core/new-version.ts';
import { button, click, render } from '../testing/render.tsx';
import { NewVersionNotice } from './NewVersionNotice.tsx';

const WORDS = 'A new version is available.';
const meta = document.createElement('meta');

beforeEach(() => {
  Object.assign(meta, { name: 'build', content: 'this one' });
  document.head.append(meta);
});
afterEach(async () => {
  document.head.append(meta);
  await replies('this one');
  meta.remove();
});

const replies = (...builds: (string | null)[]) =>
  act(async () => {
    for (const build of builds) noteBuild(build);
  });

test('the notice offers to reload once the server replies with another build', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  await render(<NewVersionNotice />);
  await replies('this one', 'next one', 'next one');
  expect(document.body.textContent).toContain(WORDS);
  expect(reload).not.toHaveBeenCalled();
  await click(button('Reload'));
  expect(reload).toHaveBeenCalledOnce();
});

test('the notice waits while machines of both versions reply', async () => {
  await render(<NewVersionNotice />);
  await replies('next one', 'this one', 'next one', 'this one');
  expect(document.body.textContent).not.toContain(WORDS);
});

test('the notice shows nothing for replies, or on a page, without a build', async () => {
  await render(<NewVersionNotice />);
  await replies(null, null);
  meta.remove();
  await replies('next one', 'next one');
  expect(document.body.textContent).not.toContain(WORDS);
});
