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

function FilteredList() {
  const [kind, setKind] = useState('none');
  return (
    <main>
      <section>
        <div data-filters="">
          <select aria-label="Kind" value={kind} onChange={() => undefined}>
            <option>none</option>
            <option>all</option>
          </select>
        </div>
        {kind !== 'all' && <ClearSearch label="Clear filters" onClear={() => setKind('all')} />}
      </section>
    </main>
  );
}

test('the first filter of a list without a search has the focus after a key cleared them', async () => {
  await render(<FilteredList />);
  const clear = button('Clear filters');
  clear.focus();
  await act(async () => clear.click());
  expect(document.activeElement).toBe(document.querySelector('select'));
});

test('the search of a list has the focus after a key cleared it from below', async () => {
  await render(<List />);
  const clear = button('Start over');
  clear.focus();
  await act(async () => clear.click());
  const input = document.querySelector<HTMLInputElement>('section input');
  expect(input?.value).toBe('');
  expect(document.activeElement).toBe(input);
});
