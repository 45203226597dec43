import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { expect, test, vi } from 'vitest';
import { connectStore } from '../../../core/store.ts';
import { button, click, render } from '../../../testing/render.tsx';
import type { Option } from '../../../ui/option.ts';
import { filesReducer } from '../slice.ts';

function CaseName({ value, onChange }: { value: Option | null; onChange: (to: null) => void }) {
  return (
    <button type="button" onClick={() => onChange(null)}>
      {value?.label ?? 'No case'}
    </button>
  );
}

test('a proposed case can be cleared before files are dropped', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const store = configureStore({
    reducer: { files: filesReducer, user: () => ({ token: null, current: null }) },
  });
  connectStore(store as never);
  // Its uploads follow the store from the start.
  const { UploadAnything } = await import('./UploadAnything.tsx');
  await render(
    <Provider store={store}>
      <UploadAnything
        place="+12125550144"
        proposed={{ id: 'c1', label: 'Abara' }}
        caseField={CaseName as never}
      />
    </Provider>,
  );
  await click(button('Abara'));
  expect(button('No case')).toBeTruthy();
});
