import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { button, render } from '../testing/render.tsx';
import { ClearSearch } from './ClearSearch.tsx';
import { SearchInput } from './SearchInput.tsx';

function List() {
  const [search, setSearch] = useState('nothing');
  return (
    <main>
      <SearchInput placeholder="Search elsewhere" value="" onChange={setSearch} />
      <section>
        <SearchInput value={search} onChange={setSearch} />
        {search !== '' && <ClearSearch label="Start over" onClear={() => setSearch('')} />}
      </section>
    </main>
  );
}

test('the search of a list has the focus after a key cleared it from below', async () => {
  await render(<List />);
  const clear = button('Start over');
  clear.focus();
  await act(async () => clear.click());
  const input = document.querySelector<HTMLInputElement>('section input');
  expect(input?.value).toBe('');
  expect(document.activeElement).toBe(input);
});
