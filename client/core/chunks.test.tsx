import { act, Component, type ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { render } from '../testing/render.tsx';
import { lazyComponent, lazyNamed } from './chunks.ts';

type File = { Greeting: (props: { name: string }) => ReactNode };

const file: File = { Greeting: ({ name }) => <p>{`Hello, ${name}`}</p> };
const shown = () => document.body.textContent ?? '';

class Boundary extends Component<{ children: ReactNode }, { message: string | null }> {
  override state = { message: null };

  static getDerivedStateFromError(error: Error) {
    return { message: error.message };
  }

  override render() {
    return this.state.message ?? this.props.children;
  }
}

test('a component that loads later has its fallback until then, and none once it has loaded', async () => {
  const loading = Promise.withResolvers<File>();
  const Greeting = lazyNamed(() => loading.promise, 'Greeting');
  await render(<Greeting name="Ama" fallback="Loading" />);
  expect(shown()).toBe('Loading');
  await act(async () => loading.resolve(file));
  expect(shown()).toBe('Hello, Ama');
  await render(<Greeting name="Rune" fallback="Loading" />);
  expect(shown()).toContain('Hello, Rune');
  expect(shown()).not.toContain('Loading');
});

test('a component that has loaded between its rendering and its effects is shown', async () => {
  // Loads at once, in the effects of the first place, when the second has been rendered.
  const loading = Promise.resolve(file.Greeting);
  vi.spyOn(loading, 'then').mockImplementation((done) => void done?.(file.Greeting) as never);
  const Greeting = lazyComponent(() => loading);
  await render(
    <>
      <Greeting name="Ama" />
      <Greeting name="Rune" />
    </>,
  );
  expect(shown()).toBe('Hello, AmaHello, Rune');
});

test('a component that does not load throws to its error boundary, and loads again the next time it is shown', async () => {
  // React reports what a boundary catches.
  const reported = vi.spyOn(console, 'error').mockReturnValue(undefined);
  onTestFinished(() => reported.mockRestore());
  let loads = 0;
  const load = async () => {
    loads += 1;
    if (loads === 1) throw new Error('Lost');
    return file;
  };
  const Greeting = lazyNamed(load, 'Greeting');
  const place = (
    <Boundary>
      <Greeting name="Ama" />
    </Boundary>
  );
  await render(place);
  expect(shown()).toContain('Lost');
  await render(place);
  expect(shown()).toContain('Hello, Ama');
});
