import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { render } from '../../../testing/render.tsx';
import { NextDates } from './CaseDates.tsx';

const items = [limitation('1', '2026-12-11'), limitation('2', '2027-03-14')];

vi.mock(import('../hooks/use-next-dates.ts'), async (original) => ({
  ...(await original()),
  useNextDates: () => ({
    items,
    today: '2026-11-29',
    isWaiting: false,
    isFailed: false,
    failure: null,
    status: 'idle' as const,
    refresh: () => {},
  }),
}));

function limitation(id: string, day: string): CalendarItem {
  return {
    id,
    type: 'deadline',
    kind: 'limitation',
    title: 'Statute of limitations',
    start: day,
    end: day,
    allDay: true,
    hard: true,
    people: [],
    case: null,
  } as unknown as CalendarItem;
}

test('a next date of another year says its year', async () => {
  await render(
    <Provider store={configureStore({ reducer: { user: () => ({ token: null }) } })}>
      <MemoryRouter>
        <NextDates caseId="1" onAdd={() => {}} />
      </MemoryRouter>
    </Provider>,
  );
  const rows = [...document.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.stringContaining('Fri, Dec 11'),
    expect.stringContaining('Mar 14, 2027'),
  ]);
});
